import type { Value } from '@homeostat/cel'
import type { AdmissionRequest } from '../admission/index.ts'
import { describedRequest, type RequestedResource, type VersionedRequest } from '../matching/index.ts'
import type { ServerObject } from '../registry/index.ts'
import type { JsonObject } from '../schema/index.ts'
import { authorizerInCel, requestResourceInCel } from './authorizer-in-cel.ts'
import { jsonInCel } from './json-in-cel.ts'
import type { KnownDecisions } from './known-decisions.ts'

/**
 * The values of an expression's variables, except for those of its policy. Each is converted when it is first read.
 */
export class RequestValues {
  readonly #request: AdmissionRequest
  readonly #versioned: VersionedRequest
  readonly #decisions: KnownDecisions
  /** The resource that `request.resource` names. */
  readonly #resource: RequestedResource
  readonly #known = new Map<string, Value>()

  constructor(
    request: AdmissionRequest,
    versioned: VersionedRequest,
    decisions: KnownDecisions,
    resource: RequestedResource = versioned.resource,
  ) {
    this.#request = request
    this.#versioned = versioned
    this.#decisions = decisions
    this.#resource = resource
  }

  /** The value of a variable; undefined for a variable without a value. */
  of(name: string): Value | undefined {
    let value = this.#known.get(name)
    if (value === undefined) {
      value = this.#make(name)
      if (value !== undefined) this.#known.set(name, value)
    }
    return value
  }

  #make(name: string): Value | undefined {
    switch (name) {
      case 'object':
        return jsonInCel(this.#versioned.object)
      case 'oldObject':
        return jsonInCel(this.#versioned.oldObject)
      case 'request':
        return jsonInCel(requestJson(this.#request, { ...this.#versioned, resource: this.#resource }))
      case 'authorizer':
        return authorizerInCel(this.#decisions, this.#request.user)
      case 'authorizer.requestResource':
        return requestResourceInCel(this.#decisions, this.#request.user, {
          resource: this.#request.resource,
          subresource: this.#request.subresource,
          namespace: this.#request.namespace,
          name: this.#request.name || undefined,
        })
      default:
        return undefined
    }
  }
}

function requestJson(request: AdmissionRequest, versioned: VersionedRequest): JsonObject {
  return {
    ...describedRequest(request, versioned),
    uid: '',
    // The objects are separate variables.
    object: null,
    oldObject: null,
    dryRun: request.dryRun,
    options: request.options ?? null,
  }
}

/** A namespace as expressions see it. */
export function namespaceInCel(namespace: ServerObject | undefined): Value {
  if (!namespace) return null
  const { managedFields: _, ownerReferences: __, ...metadata } = namespace.metadata
  return jsonInCel({ metadata, spec: namespace['spec'], status: namespace['status'] })
}
