import type { AdmissionPlugin } from '../../admission/index.ts'
import { specOf } from '../../registry/index.ts'
import { type JsonObject, textOf } from '../../schema/index.ts'

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client'
const encoder = new TextEncoder()
/** The object identifier of `organizationName` in DER. A certificate's groups are the values that follow it. */
const ORGANIZATION = [0x06, 0x03, 0x55, 0x04, 0x0a]
const MASTERS = encoder.encode('system:masters')

/** Writes the requester into a CertificateSigningRequest. */
export const certificateRequester: AdmissionPlugin = {
  resources: ['certificates.k8s.io/certificatesigningrequests'],
  admit({ operation, object, subresource, user }) {
    if (operation !== 'CREATE' || !object || subresource !== undefined) return
    const { username: _, uid: __, groups: ___, extra: ____, ...asked } = specOf(object)
    const { name, uid, groups, extra = {} } = user
    const requester: JsonObject = {
      username: name,
      ...(uid && { uid }),
      ...(groups.length > 0 && { groups: [...groups] }),
      ...(Object.keys(extra).length > 0 && { extra: structuredClone(extra) }),
    }
    object['spec'] = { ...asked, ...requester }
  },
}

/** Refuses client certificates of the group `system:masters`. */
export const subjectRestriction: AdmissionPlugin = {
  resources: ['certificates.k8s.io/certificatesigningrequests'],
  validate({ operation, object, subresource, refuse }) {
    if (operation !== 'CREATE' || !object || subresource !== undefined) return
    const { signerName, request } = specOf(object)
    if (signerName === CLIENT_SIGNER && asksForMasters(textOf(request))) {
      refuse(`use of ${CLIENT_SIGNER} signer with system:masters group is not allowed`)
    }
  },
}

/**
 * Whether a request, in PEM and again in base64, names the group `system:masters`. Another check refuses requests
 * that cannot be read.
 */
function asksForMasters(request: string): boolean {
  const bytes = decoded(decoded(request)?.replaceAll(/-----[^-]*-----|\s/g, '') ?? '')
  const der = Uint8Array.from(bytes ?? '', (char) => char.charCodeAt(0))
  return der.some((_, at) => {
    const text = at + ORGANIZATION.length + 2
    return (
      ORGANIZATION.every((byte, index) => der[at + index] === byte) &&
      der[text - 1] === MASTERS.length &&
      MASTERS.every((byte, index) => der[text + index] === byte)
    )
  })
}

function decoded(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}
