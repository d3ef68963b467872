import type { WithoutEffect } from '../registry/index.ts'
import { listOf, objectOf } from '../schema/index.ts'

const ADMISSION = 'admissionregistration.k8s.io'
const NO_AUDIT = 'this API server writes no audit log'

/**
 * The kinds on which a kube-apiserver acts and this server does not. Kinds for controllers are not among them, since
 * a kube-apiserver does not act on those either.
 */
export const SERVER_GAPS: readonly WithoutEffect[] = [
  {
    group: ADMISSION,
    kind: 'ValidatingAdmissionPolicy',
    reason: NO_AUDIT,
    concerns: (object) => listOf(objectOf(object['spec'])['auditAnnotations']).length > 0,
  },
  {
    group: ADMISSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    reason: NO_AUDIT,
    concerns: (object) => listOf(objectOf(object['spec'])['validationActions']).includes('Audit'),
  },
  {
    group: 'networking.k8s.io',
    kind: 'IPAddress',
    reason: 'this API server does not reserve the address: a Service may get it',
  },
  {
    group: 'networking.k8s.io',
    kind: 'ServiceCIDR',
    reason: 'this API server takes the addresses of Services only from its own range',
  },
]

/** The kinds that have no effect in a server. With an audit log there are fewer. */
export function serverGaps(hasAuditLog: boolean): readonly WithoutEffect[] {
  return hasAuditLog ? SERVER_GAPS.filter(({ reason }) => reason !== NO_AUDIT) : SERVER_GAPS
}
