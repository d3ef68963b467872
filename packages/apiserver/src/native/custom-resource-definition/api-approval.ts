import {
  type FieldError,
  invalidValue,
  type JsonObject,
  objectOf,
  quote,
  requiredValue,
  textOf,
} from '../../schema/index.ts'

const APPROVED = 'api-approved.kubernetes.io'
const POLICY = 'https://github.com/kubernetes/enhancements/pull/1111'

/** Whether a CRD in a group of Kubernetes is approved, by its annotation. */
interface Approval {
  readonly state: 'Approved' | 'Unapproved' | 'Missing' | 'Invalid'
  readonly message: string
}

/** The approval of a CRD; undefined where its group needs none. */
export function approvalOf(definition: JsonObject): Approval | undefined {
  const group = textOf(objectOf(definition['spec'])['group'] ?? '')
  const guarded = ['k8s.io', 'kubernetes.io'].some(
    (domain) => group === domain || group.endsWith(`.${domain}`),
  )
  if (!guarded) return undefined
  const annotation = textOf(objectOf(objectOf(definition['metadata'])['annotations'])[APPROVED] ?? '')
  const must = `protected groups must have approval annotation "${APPROVED}"`
  if (annotation === '') return { state: 'Missing', message: `${must}, see ${POLICY}` }
  if (annotation.startsWith('unapproved')) {
    return { state: 'Unapproved', message: `not approved: ${quote(annotation)}` }
  }
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]+/.test(annotation)) {
    return { state: 'Approved', message: `approved in ${annotation}` }
  }
  const either = 'with either a URL or a reason starting with "unapproved"'
  return { state: 'Invalid', message: `${must} ${either}, see ${POLICY}` }
}

/** Validates a CRD's approval: the groups of Kubernetes are reserved for its own APIs. */
export function approvalErrors(definition: JsonObject, old: JsonObject | undefined): FieldError[] {
  const approval = approvalOf(definition)
  if (!approval || (old && approvalOf(old)?.state === approval.state)) return []
  const field = `metadata.annotations[${APPROVED}]`
  if (approval.state === 'Missing') return [requiredValue(field, approval.message)]
  if (approval.state !== 'Invalid') return []
  return [
    invalidValue(
      field,
      objectOf(objectOf(definition['metadata'])['annotations'])[APPROVED],
      approval.message,
    ),
  ]
}
