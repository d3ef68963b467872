import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { whenDecided, type Asking, type Authorizer, type User } from '../../auth/index.ts'
import { type ServerObject, specOf, statusOf } from '../../registry/index.ts'
import { equalJson, listOf, quote, textOf } from '../../schema/index.ts'

const GROUP = 'certificates.k8s.io'

/** Requires a user who approves a certificate to have that right for its signer, besides the right to write the request. */
export function approvalPermission(authorizer: Authorizer): AdmissionPlugin {
  return onUpdate('approval', (request, { old }) => checkSigner(authorizer, request, old, 'approve'))
}

/** Requires the same of a user who signs a certificate. */
export function signingPermission(authorizer: Authorizer): AdmissionPlugin {
  return onUpdate('status', (request, { object, old }) => {
    const [before, after] = [statusOf(old), statusOf(object)]
    const same =
      before['certificate'] === after['certificate'] &&
      equalJson(listOf(before['conditions']), listOf(after['conditions']))
    return same ? undefined : checkSigner(authorizer, request, old, 'sign')
  })
}

/** The request for a certificate before and after a write. */
interface RequestChange {
  readonly object: ServerObject
  readonly old: Readonly<ServerObject>
}

function onUpdate(
  subresource: string,
  check: (request: AdmissionRequest, written: RequestChange) => Asking<void> | undefined,
): AdmissionPlugin {
  return {
    resources: [`${GROUP}/certificatesigningrequests`],
    operations: ['UPDATE'],
    validate(request) {
      const { object, oldObject: old } = request
      if (request.subresource !== subresource || !object || !old) return undefined
      const asking = check(request, { object, old })
      return asking && whenDecided(asking)
    },
  }
}

function* checkSigner(
  authorizer: Authorizer,
  { user, refuse }: AdmissionRequest,
  old: Readonly<ServerObject>,
  verb: 'approve' | 'sign',
): Asking<void> {
  const signer = textOf(specOf(old)['signerName'])
  if (yield* mayFor(authorizer, user, verb, signer)) return
  refuse(`user not permitted to ${verb} requests with signerName ${quote(signer)}`)
}

/** Whether the user has the right for the signer itself or for all signers of its domain. */
function* mayFor(authorizer: Authorizer, user: User, verb: string, signer: string): Asking<boolean> {
  const resource = { group: GROUP, version: '*', plural: 'signers' }
  for (const name of [signer, `${signer.split('/')[0]}/*`]) {
    const { allowed } = yield authorizer(user, { verb, path: '', resource, name })
    if (allowed) return true
  }
  return false
}
