import { network, unchanged } from '../../checks/index.ts'
import {
  canonicalAddress,
  familyOf,
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
} from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { clearStatus, keepWritableMetadata, keptMetadata } from '../status/clear-status.ts'
import { serviceCidrPrinter } from './table.ts'

/** ServiceCIDRs: the networks of Services' addresses. */
export const serviceCidr: NativeKind = {
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  prepareCreate: clearStatus,
  prepareStatus: keepWritableMetadata,
  resetFields: keptMetadata,
  table: serviceCidrPrinter,
  updateSteps: ['metadata change', 'change'],
  validate: (object) => networkErrors(networksOf(object)),
  validateUpdate(object, old) {
    const [networks, oldNetworks] = [networksOf(object), networksOf(old)]
    const field = 'spec.cidrs'
    const changed = oldNetworks.flatMap((one, index) =>
      unchanged(textOf(networks[index]), textOf(one), `${field}[${index}]`),
    )
    if (networks.length === oldNetworks.length) return changed
    // A network of the other family may be added.
    if (networks.length === 2 && oldNetworks.length === 1) return [...changed, ...networkErrors(networks)]
    return unchanged(networks, oldNetworks, field)
  },
}

function networksOf(object: JsonObject): readonly unknown[] {
  return listOf(objectOf(object['spec'])['cidrs'])
}

function networkErrors(networks: readonly unknown[]): FieldError[] {
  const field = 'spec.cidrs'
  if (networks.length === 0) return [requiredValue(field, 'at least one CIDR required')]
  if (networks.length > 2) {
    return [invalidValue(field, { CIDRs: networks }, 'may only hold up to 2 values')]
  }
  const errors = networks.flatMap((one, index) => canonicalNetwork(one, `${field}[${index}]`))
  const [first, second] = networks.map((one) => familyOf(/^([^/]*)\/\d/.exec(textOf(one))?.[1] ?? ''))
  if (networks.length < 2 || first === undefined || first !== second) return errors
  const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
  return [...errors, invalidValue(field, networks, detail)]
}

/** Validates a network in canonical form. */
function canonicalNetwork(value: unknown, field: string): FieldError[] {
  const errors = network(value, field)
  const text = textOf(value)
  const [base = '', length = ''] = text.split('/')
  if (errors.length > 0) return errors
  const canonical = `${canonicalAddress(base)}/${length}`
  if (text === canonical) return []
  return [invalidValue(field, text, `must be in canonical form (${JSON.stringify(canonical)})`)]
}
