import type { AdmissionPlugin } from '../../admission/index.ts'
import type { Authorizer, User } from '../../auth/index.ts'
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
    validate({ operation, subresource, object, oldObject, user, refuse }) {
      if (operation !== 'UPDATE' || !object || !oldObject) return
      const signer = textOf(specOf(oldObject)['signerName'])
      if (subresource === 'approval' && !mayFor(authorizer, user, 'approve', signer)) {
        refuse(`user not permitted to approve requests with signerName ${quote(signer)}`)
      }
      if (subresource !== 'status') return
      const [before, after] = [statusOf(oldObject), statusOf(object)]
      const same =
        before['certificate'] === after['certificate'] &&
        equalJson(listOf(before['conditions']), listOf(after['conditions']))
      if (!same && !mayFor(authorizer, user, 'sign', signer)) {
        refuse(`user not permitted to sign requests with signerName ${quote(signer)}`)
      }
    },
  }
}

/** Whether the user has the right for the signer itself or for all signers of its domain. */
function mayFor(authorizer: Authorizer, user: User, verb: string, signer: string): boolean {
  const resource = { group: GROUP, version: '*', plural: 'signers' }
  return [signer, `${signer.split('/')[0]}/*`].some(
    (name) => authorizer(user, { verb, path: '', resource, name }).allowed,
  )
}
