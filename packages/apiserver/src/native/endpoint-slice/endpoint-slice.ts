import { labelValueProblems } from '@homeostat/api'
import {
  address,
  eachObject,
  named,
  objectsIn,
  oneOf,
  qualifiedName,
  requiredOneOf,
} from '../../checks/index.ts'
import { nextGeneration } from '../../registry/index.ts'
import {
  canonicalAddress,
  duplicateValue,
  equalJson,
  familyOf,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  tooMany,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { PROTOCOLS, unicast } from '../service/service-validation.ts'
import { sliceWarnings } from './endpoint-slice-warnings.ts'
import { endpointSlicePrinter } from './table.ts'

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6']

/** EndpointSlices. */
export const endpointSlice: NativeKind = {
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  generation: true,
  counts: (object, old) => !equalJson(object.metadata.labels ?? {}, old.metadata.labels ?? {}),
  warnings: sliceWarnings,
  table: endpointSlicePrinter,
  updateSteps: ['metadata', 'object', 'change'],
  default(object) {
    for (const item of objectsIn(object['ports'])) {
      item['name'] ??= ''
      item['protocol'] ??= 'TCP'
    }
  },
  // Kubernetes counts the change before it drops the deprecated topology, which v1 replaced by other fields.
  prepareUpdate(object, old) {
    const changes = objectsIn(object['endpoints']).some(({ deprecatedTopology }) =>
      isObject(deprecatedTopology),
    )
    if (changes) object.metadata.generation = nextGeneration(old.metadata.generation)
  },
  dropDisabled(object) {
    for (const endpoint of objectsIn(object['endpoints'])) delete endpoint['deprecatedTopology']
  },
  validate(object, old) {
    const { addressType } = object
    const wrong = eachObject(object['endpoints'], 'endpoints', (item, field) =>
      endpointErrors(item, field, textOf(addressType ?? '')),
    )
    // Unchanged endpoints are not validated again: an earlier release may have accepted them.
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
