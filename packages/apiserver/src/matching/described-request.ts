import type { AdmissionRequest } from '../admission/index.ts'
import type { JsonObject } from '../schema/index.ts'
import { isNamespaces, type RequestedResource } from './matching-rule.ts'
import type { VersionedRequest } from './versioned-request.ts'

/** A request as webhooks and expressions see it, without its objects and options. */
export function describedRequest(
  request: AdmissionRequest,
  { kind, resource }: Pick<VersionedRequest, 'kind' | 'resource'>,
): JsonObject {
  const { subresource, user, operation } = request
  return {
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: named(resource),
    ...(subresource !== undefined && { subResource: subresource }),
    requestKind: { group: request.kind.group, version: request.kind.version, kind: request.kind.kind },
    requestResource: named(request.resource),
    ...(subresource !== undefined && { requestSubResource: subresource }),
    ...(request.name !== '' && { name: request.name }),
    ...namespaceOf(request),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid !== undefined && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(user.extra !== undefined && Object.keys(user.extra).length > 0 && { extra: user.extra }),
    },
  }
}

/** Requests for a namespace name it as the namespace as well. */
function namespaceOf({ resource, namespace, name }: AdmissionRequest): { namespace?: string } {
  if (isNamespaces(resource)) return name === '' ? {} : { namespace: name }
  return namespace === undefined ? {} : { namespace }
}

function named({ group, version, plural }: RequestedResource): JsonObject {
  return { group, version, resource: plural }
}
