import { labelValueProblems } from '@homeostat/api'
import { canonicalAddress, familyOf } from '../../schema/addresses.ts'
import {
  duplicateValue,
  invalidValue,
  requiredValue,
  tooMany,
  type FieldError,
} from '../../schema/field-error.ts'
import { equalJson, listOf, objectOf, textOf, type JsonObject } from '../../schema/json.ts'
import { labelProblems, subdomainProblems } from '../../schema/name-syntax.ts'
import { objectsIn, setDefault } from '../checks/absent.ts'
import { address, eachObject, named, oneOf, port, qualifiedName, requiredOneOf } from '../checks/checks.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'
import { PROTOCOLS, unicast } from '../service/service-validation.ts'
import { addAll } from '../../work/index.ts'

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6']

/** EndpointSlices. */
export const endpointSlice: NativeBehaviour = {
  updateSteps: ['metadata', 'object', 'change'],
  default(object) {
    // What stands in fields of their own now is kept in no other place.
    for (const endpoint of objectsIn(object['endpoints'])) delete endpoint['deprecatedTopology']
    for (const item of objectsIn(object['ports'])) {
      item['name'] ??= ''
      item['protocol'] ??= 'TCP'
    }
  },
  validate(object, old) {
    const { addressType } = object
    const wrong = eachObject(object['endpoints'], 'endpoints', (item, field) =>
      endpointErrors(item, field, textOf(addressType ?? '')),
    )
    // What was taken before, by whatever rules, is taken again.
    const known = old !== undefined && equalJson(object['endpoints'], old['endpoints'])
    return [
      ...requiredOneOf(addressType, ADDRESS_TYPES, 'addressType'),
      ...slicePortErrors(object),
      ...(known ? [] : wrong),
    ]
  },
  validateUpdate(object, old) {
    if (object['addressType'] === old['addressType']) return []
    return [invalidValue('addressType', object['addressType'], 'field is immutable')]
  },
}

function endpointErrors(endpoint: JsonObject, field: string, type: string): FieldError[] {
  const addresses = listOf(endpoint['addresses'])
  const at = `${field}.addresses`
  const errors =
    addresses.length === 0
      ? [requiredValue(at, 'must contain at least 1 address')]
      : addresses.length > 100
        ? [tooMany(at, addresses.length, 100)]
        : []
  for (const [index, one] of addresses.entries()) {
    addAll(errors, addressErrors(textOf(one), `${at}[${index}]`, at, type))
  }
  const { nodeName, hostname, hints } = endpoint
  if (nodeName !== undefined) addAll(errors, named(nodeName, `${field}.nodeName`, subdomainProblems))
  if (hostname !== undefined) addAll(errors, named(hostname, `${field}.hostname`, labelProblems))
  return [
    ...errors,
    ...hintErrors(objectOf(hints)['forZones'], `${field}.hints.forZones`, labelValueProblems),
    ...hintErrors(objectOf(hints)['forNodes'], `${field}.hints.forNodes`, subdomainProblems),
  ]
}

function addressErrors(text: string, field: string, list: string, type: string): FieldError[] {
  if (type === 'FQDN') return domainErrors(text, field)
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const wrong = address(text, field)
  if (wrong.length === 0 && type === 'IPv6' && text !== canonicalAddress(text)) {
    wrong.push(
      invalidValue(field, text, `must be in canonical form (${JSON.stringify(canonicalAddress(text))})`),
    )
  }
  if (wrong.length > 0) return wrong
  const family = familyOf(text) === type ? [] : [invalidValue(list, text, `must be an ${type} address`)]
  return [...family, ...unicast(text, field)]
}

function domainErrors(text: string, field: string): FieldError[] {
  if (text === '') return [requiredValue(field)]
  const name = text.replace(/\.$/, '')
  const problems = subdomainProblems(name)
  if (problems.length > 0) return [invalidValue(field, name, problems.join(','))]
  if (!name.includes('.')) {
    return [invalidValue(field, name, 'should be a domain with at least two segments separated by dots')]
  }
  for (const label of name.split('.')) {
    const wrong = labelProblems(label)
    if (wrong.length > 0) return [invalidValue(field, label, wrong.join(','))]
  }
  return []
}

function hintErrors(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const { length } = listOf(value)
  if (length > 8) return [tooMany(field, length, 8)]
  const seen = new Set<unknown>()
  return eachObject(value, field, ({ name }, at) => {
    const errors = seen.has(name) ? [duplicateValue(`${at}.name`, name)] : []
    seen.add(name)
    return [...errors, ...named(name, `${at}.name`, form)]
  })
}

function slicePortErrors(object: JsonObject): FieldError[] {
  const names = new Set<unknown>()
  return eachObject(object['ports'], 'ports', (item, field) => {
    const { name = '', protocol, appProtocol } = item
    const errors = name === '' ? [] : named(name, `${field}.name`, labelProblems)
    if (names.has(name)) errors.push(duplicateValue(`${field}.name`, name))
    names.add(name)
    addAll(errors, oneOf(protocol, PROTOCOLS, `${field}.protocol`))
    return appProtocol === undefined
      ? errors
      : [...errors, ...qualifiedName(appProtocol, `${field}.appProtocol`)]
  })
}

/** Endpoints. */
export const endpoints: NativeBehaviour = {
  default(object) {
    for (const subset of objectsIn(object['subsets'])) {
      for (const item of objectsIn(subset['ports'])) setDefault(item, 'protocol', 'TCP')
    }
  },
  updateSteps: ['metadata change', 'metadata', 'object'],
  validate(object, old) {
    // What was taken before, by whatever rules, is taken again.
    if (old && equalJson(object['subsets'], old['subsets'])) return []
    return eachObject(object['subsets'], 'subsets', subsetErrors)
  },
}

function subsetErrors(subset: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (listOf(subset['addresses']).length === 0 && listOf(subset['notReadyAddresses']).length === 0) {
    errors.push(requiredValue(field, 'must specify `addresses` or `notReadyAddresses`'))
  }
  for (const kind of ['addresses', 'notReadyAddresses']) {
    addAll(
      errors,
      eachObject(subset[kind], `${field}.${kind}`, (item, at) => {
        const ip = textOf(item['ip'] ?? '')
        const { hostname, nodeName } = item
        return [
          ...address(ip, `${at}.ip`),
          ...(hostname ? named(hostname, `${at}.hostname`, labelProblems) : []),
          ...(nodeName === undefined ? [] : named(nodeName, `${at}.nodeName`, subdomainProblems)),
          ...unicast(ip, `${at}.ip`),
        ]
      }),
    )
  }
  const ports = listOf(subset['ports'])
  for (const [index, item] of ports.entries()) {
    const at = `${field}.ports[${index}]`
    const { name, port: number, protocol, appProtocol } = objectOf(item)
    if (ports.length > 1 && !name) errors.push(requiredValue(`${at}.name`))
    else if (name) addAll(errors, named(name, `${at}.name`, labelProblems))
    addAll(errors, port(number ?? 0, `${at}.port`), requiredOneOf(protocol, PROTOCOLS, `${at}.protocol`))
    if (appProtocol !== undefined) addAll(errors, qualifiedName(appProtocol, `${at}.appProtocol`))
  }
  return errors
}
