import { FieldSet } from './field-set.ts'
import { fieldElement } from './path-element.ts'

const NONE = new FieldSet()
const STATUS = fields('status')
const ALL_BUT_STATUS = fields('metadata', 'spec')
const SPEC = fields('spec')

/** What the status endpoints of some native kinds leave alone besides the spec. */
const BY_KIND: ReadonlyMap<string, FieldSet> = new Map(
  Object.entries<FieldSet>({
    Deployment: fields('spec', 'metadata.labels'),
    Pod: fields('spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'),
  }),
)

/** No write owns the spec of a CertificateSigningRequest. */
const CERTIFICATE_REQUEST: ReadonlyMap<string, FieldSet> = new Map(
  Object.entries<FieldSet>({
    '': fields('spec', 'status'),
    approval: fields('spec', 'status.certificate'),
    status: fields('spec', 'status.conditions'),
  }),
)

/**
 * The fields that a write cannot change because of its endpoint: the status through the object itself where it is a
 * subresource, everything else through the status. Such a write owns none of these fields.
 */
export function resetFields(door: {
  readonly subresource: string
  readonly hasStatus: boolean
  readonly custom: boolean
  readonly kind: string
}): FieldSet {
  if (door.kind === 'CertificateSigningRequest' && !door.custom) {
    return CERTIFICATE_REQUEST.get(door.subresource) ?? NONE
  }
  if (door.subresource === 'status') {
    if (door.custom) return ALL_BUT_STATUS
    return BY_KIND.get(door.kind) ?? SPEC
  }
  return door.hasStatus && door.subresource === '' ? STATUS : NONE
}

function fields(...paths: readonly string[]): FieldSet {
  return FieldSet.of(...paths.map((path) => path.split('.').map((name) => fieldElement(name))))
}
