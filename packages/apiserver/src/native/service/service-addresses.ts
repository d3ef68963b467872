import { address, oneOf } from '../../checks/index.ts'
import {
  duplicateValue,
  familyOf,
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  requiredValue,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

const FAMILIES = ['IPv4', 'IPv6']
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** Validates the addresses of a Service and their families. */
export function validateClusterAddresses(spec: JsonObject, before?: JsonObject): FieldError[] {
  if (spec['type'] === 'ExternalName') return []
  const addresses = listOf(spec['clusterIPs'])
  const families = listOf(spec['ipFamilies'])
  const errors = [
    ...sameErrors(spec['clusterIP'], addresses),
    ...familyErrors(families),
    ...oneOf(spec['ipFamilyPolicy'], POLICIES, 'spec.ipFamilyPolicy'),
  ]
  let wrong = false
  for (const [index, ip] of addresses.entries()) {
    if (index === 0 && ip === 'None') {
      if (addresses.length === 1) continue
      wrong = true
      errors.push(invalidValue('spec.clusterIPs', addresses, "'None' must be the first and only value"))
      continue
    }
    const problems = address(ip, `spec.clusterIPs[${index}]`, listOf(before?.['clusterIPs']))
    wrong ||= problems.length > 0
    addAll(errors, problems)
  }
  if (addresses.length > 2) {
    errors.push(invalidValue('spec.clusterIPs', addresses, 'may only hold up to 2 values'))
  }
  if (wrong) return errors
  if (addresses.length > 1 && new Set(addresses.map((ip) => familyOf(textOf(ip)))).size < 2) {
    const detail = 'may specify no more than one IP for each IP family'
    errors.push(invalidValue('spec.clusterIPs', addresses, detail))
  }
  if (addresses[0] === 'None') return errors
  for (const [index, ip] of addresses.slice(0, families.length).entries()) {
    const family = families[index]
    if (!FAMILIES.includes(textOf(family)) || familyOf(textOf(ip)) === family) continue
    const detail = `expected an ${textOf(family)} value as indicated by \`ipFamilies[${index}]\``
    errors.push(invalidValue(`spec.clusterIPs[${index}]`, ip, detail))
  }
  return errors
}

/** Validates that `clusterIP` is the first of `clusterIPs`. */
function sameErrors(first: unknown, addresses: readonly unknown[]): FieldError[] {
  const field = 'spec.clusterIPs'
  if (first) {
    if (addresses.length === 0) return [requiredValue(field)]
    if (addresses[0] === first) return []
    return [invalidValue(field, addresses, 'first value must match `clusterIP`')]
  }
  if (addresses.length === 0) return []
  return [invalidValue(field, addresses, 'must be empty when `clusterIP` is not specified')]
}

function familyErrors(families: readonly unknown[]): FieldError[] {
  const seen = new Set<unknown>()
  return families.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`
    const errors = FAMILIES.includes(textOf(family)) ? [] : [unsupportedValue(field, family, FAMILIES)]
    if (seen.has(family)) errors.push(duplicateValue(field, family))
    seen.add(family)
    return errors
  })
}
