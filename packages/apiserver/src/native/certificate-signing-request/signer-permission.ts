import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { whenDecided, type Asking, type Authorizer, type User } from '../../auth/index.ts'
import { specOf, statusOf } from '../../registry/index.ts'
import { equalJson, listOf, quote, textOf } from '../../schema/index.ts'

const GROUP = 'certificates.k8s.io'

/**
 * Requires a user who signs or approves a certificate to have that right for its signer, besides the right to write
 * the request.
 */
export function signerPermission(authorizer: Authorizer): AdmissionPlugin {
  return {
    resources: [`${GROUP}/certificatesigningrequests`],
    validate: (request) => whenDecided(checkSigner(authorizer, request)),
  }
}

function* checkSigner(
  authorizer: Authorizer,
  { operation, subresource, object, oldObject, user, refuse }: AdmissionRequest,
): Asking<void> {
  if (operation !== 'UPDATE' || !object || !oldObject) return
  const signer = textOf(specOf(oldObject)['signerName'])
  if (subresource === 'approval' && !(yield* mayFor(authorizer, user, 'approve', signer))) {
    refuse(`user not permitted to approve requests with signerName ${quote(signer)}`)
  }
  if (subresource !== 'status') return
  const [before, after] = [statusOf(oldObject), statusOf(object)]
  const same =
    before['certificate'] === after['certificate'] &&
    equalJson(listOf(before['conditions']), listOf(after['conditions']))
  if (!same && !(yield* mayFor(authorizer, user, 'sign', signer))) {
    refuse(`user not permitted to sign requests with signerName ${quote(signer)}`)
  }
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
