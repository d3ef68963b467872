import { bytesOf, familyOf } from '../addresses.ts'
import { duplicateValue, invalidValue, requiredValue, type FieldError } from '../field-error.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { labelProblems, subdomainProblems } from '../name-syntax.ts'
import { objectsIn, setDefault } from './absent.ts'
import { address, eachObject, named, oneOf, port } from './checks.ts'
import type { NativeBehaviour } from './native-behaviour.ts'

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6']

/** EndpointSlices. */
export const endpointSlice: NativeBehaviour = {
  default(object) {
    for (const item of objectsIn(object['ports'])) {
      item['name'] ??= ''
      item['protocol'] ??= 'TCP'
    }
  },
  validate(object) {
    const { addressType } = object
    const errors = addressType
      ? oneOf(addressType, ADDRESS_TYPES, 'addressType')
      : [requiredValue('addressType')]
    if (errors.length > 0) return errors
    return [
      ...eachObject(object['endpoints'], 'endpoints', (item, field) =>
        endpointErrors(item, field, String(addressType)),
      ),
      ...slicePortErrors(object),
    ]
  },
  validateUpdate(object, old) {
    if (object['addressType'] === old['addressType']) return []
    return [invalidValue('addressType', object['addressType'], 'field is immutable')]
  },
}

function endpointErrors(endpoint: JsonObject, field: string, type: string): FieldError[] {
  const addresses = listOf(endpoint['addresses'])
  if (addresses.length === 0) return [requiredValue(`${field}.addresses`, 'must contain at least 1 address')]
  const errors: FieldError[] = []
  for (const [index, one] of addresses.entries()) {
    const at = `${field}.addresses[${index}]`
    if (type === 'FQDN') errors.push(...named(one, at, subdomainProblems))
    else {
      const wrong = address(one, at)
      errors.push(...wrong)
      if (wrong.length > 0) continue
      if (familyOf(String(one)) !== type) {
        errors.push(invalidValue(`${field}.addresses`, one, `must be an ${type} address`))
      }
      errors.push(...unicast(String(one), at))
    }
  }
  return errors
}

function slicePortErrors(object: JsonObject): FieldError[] {
  const names = new Set<unknown>()
  return eachObject(object['ports'], 'ports', (item, field) => {
    const errors: FieldError[] = []
    const { name = '', protocol, port: number } = item
    if (name !== '') errors.push(...named(name, `${field}.name`, labelProblems))
    if (names.has(name)) errors.push(duplicateValue(`${field}.name`, name))
    names.add(name)
    errors.push(...oneOf(protocol, PROTOCOLS, `${field}.protocol`))
    if (number !== undefined && number !== null && (Number(number) < 0 || Number(number) > 65_535)) {
      errors.push(...port(number, `${field}.port`))
    }
    return errors
  })
}

/** Endpoints. */
export const endpoints: NativeBehaviour = {
  default(object) {
    for (const subset of objectsIn(object['subsets'])) {
      for (const item of objectsIn(subset['ports'])) setDefault(item, 'protocol', 'TCP')
    }
  },
  validate: (object) => eachObject(object['subsets'], 'subsets', subsetErrors),
}

function subsetErrors(subset: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (listOf(subset['addresses']).length === 0 && listOf(subset['notReadyAddresses']).length === 0) {
    errors.push(requiredValue(field, 'must specify `addresses` or `notReadyAddresses`'))
  }
  for (const kind of ['addresses', 'notReadyAddresses']) {
    errors.push(
      ...eachObject(subset[kind], `${field}.${kind}`, (item, at) => {
        const ip = textOf(item['ip'] ?? '')
        const wrong = address(ip, `${at}.ip`)
        if (wrong.length === 0) return unicast(ip, `${at}.ip`)
        return [...wrong, invalidValue(`${at}.ip`, ip, 'must be a valid IP address')]
      }),
    )
  }
  const ports = listOf(subset['ports'])
  for (const [index, item] of ports.entries()) {
    const at = `${field}.ports[${index}]`
    const { name, port: number, protocol } = objectOf(item)
    if (ports.length > 1 && !name) errors.push(requiredValue(`${at}.name`))
    else if (name) errors.push(...named(name, `${at}.name`, labelProblems))
    errors.push(...port(number ?? 0, `${at}.port`), ...oneOf(protocol, PROTOCOLS, `${at}.protocol`))
  }
  return errors
}

/** Addresses that mean something else to everyone who reads them are no endpoints. */
function unicast(ip: string, field: string): FieldError[] {
  const bytes = bytesOf(ip)
  const top = bytes === undefined ? undefined : Math.floor(bytes / 2 ** 24)
  const problem =
    bytes === 0 || ip === '::'
      ? `may not be unspecified (${ip})`
      : top === 127 || ip === '::1'
        ? 'may not be in the loopback range (127.0.0.0/8, ::1/128)'
        : bytes !== undefined && Math.floor(bytes / 2 ** 16) === 169 * 256 + 254
          ? 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'
          : bytes !== undefined && Math.floor(bytes / 2 ** 8) === (224 * 256 + 0) * 256
            ? 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'
            : undefined
  return problem === undefined ? [] : [invalidValue(field, ip, problem)]
}
