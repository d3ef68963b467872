import { named, required } from '../../checks/index.ts'
import {
  byteLength,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  objectOf,
  RawJson,
  requiredValue,
  subdomainProblems,
  tooLong,
  tooMany,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { attributeName } from '../devices/device-names.ts'
import { bindingConditionErrors } from '../devices/binding-conditions.ts'
import { taintErrors } from '../devices/device-taints.ts'
import { limitedList, limitedSet } from '../devices/limited-lists.ts'
import { validateNodeSelector } from '../pod-spec/validation/scheduling-validation.ts'
import { requestPolicyErrors } from './request-policy.ts'

const MOST_ATTRIBUTES_AND_CAPACITIES = 32
const MOST_ATTRIBUTES = 48
const MOST_TAINTS = 16
const MOST_CONSUMPTIONS = 2
const MOST_COUNTERS = 32
const LONGEST_VALUE = 64
/** A domain, a slash and an identifier. */
const LONGEST_KEY = 63 + 1 + 32
const LONGEST_COUNTER = 63

/** Validates a device of a slice. `old` is the device of this name before; `perDevice` is the slice's `perDeviceNodeSelection`. */
export function deviceErrors(
  device: JsonObject,
  old: JsonObject | undefined,
  field: string,
  perDevice: boolean,
): FieldError[] {
  const { name, attributes, capacity, taints, consumesCounters, allowMultipleAllocations } = device
  const shared = allowMultipleAllocations === true
  return [
    ...named(name, `${field}.name`, labelProblems),
    ...amountErrors(attributes, capacity, field),
    ...eachEntry(attributes, `${field}.attributes`, LONGEST_KEY, attributeName, attributeErrors),
    ...eachEntry(capacity, `${field}.capacity`, LONGEST_KEY, attributeName, (one, at) =>
      capacityErrors(one, at, shared),
    ),
    ...(old && equalJson(old['taints'], taints)
      ? []
      : limitedList(taints, `${field}.taints`, MOST_TAINTS, taintErrors)),
    ...limitedSet(
      consumesCounters,
      `${field}.consumesCounters`,
      MOST_CONSUMPTIONS,
      ({ counterSet, counters }, at) => counterErrors(counterSet, `${at}.counterSet`, counters, at),
      'counterSet',
    ),
    ...nodeErrors(device, field, perDevice),
    ...bindingConditionErrors(device, field),
  ]
}

/** Validates a set of counters that devices share or consume. */
export function counterErrors(
  name: unknown,
  nameField: string,
  counters: unknown,
  field: string,
): FieldError[] {
  const errors = required(name, nameField)
  const at = `${field}.counters`
  if (errors.length === 0) addAll(errors, named(name, nameField, labelProblems))
  const { length } = Object.keys(objectOf(counters))
  if (length === 0) return [...errors, requiredValue(at)]
  if (length > MOST_COUNTERS) return [...errors, tooMany(at, length, MOST_COUNTERS)]
  const counterName = (text: string, place: string): FieldError[] => named(text, place, labelProblems)
  return [...errors, ...eachEntry(counters, at, LONGEST_COUNTER, counterName, () => [])]
}

/** The errors of the entries of a map: those of a key name the map, those of a value its key. */
function eachEntry(
  value: unknown,
  field: string,
  longest: number,
  checkKey: (key: string, field: string) => FieldError[],
  check: (item: JsonObject, field: string) => FieldError[],
): FieldError[] {
  return Object.entries(objectOf(value)).flatMap(([key, item]) => [
    ...checkKey(key, field),
    ...check(objectOf(item), `${field}[${shortened(key, longest)}]`),
  ])
}

/** A key with its middle left out where it is too long. Kubernetes counts bytes. */
function shortened(key: string, longest: number): string {
  const bytes = new TextEncoder().encode(key)
  if (bytes.length <= longest) return key
  const rest = longest - '...'.length
  const decoder = new TextDecoder()
  const start = decoder.decode(bytes.subarray(0, Math.floor((rest + 1) / 2)))
  return `${start}...${decoder.decode(bytes.subarray(bytes.length - Math.floor(rest / 2)))}`
}

function amountErrors(attributes: unknown, capacity: unknown, field: string): FieldError[] {
  const count = Object.keys(objectOf(attributes)).length
  const all = count + Object.keys(objectOf(capacity)).length
  const errors: FieldError[] = []
  if (all > MOST_ATTRIBUTES_AND_CAPACITIES) {
    const detail = `the total number of attributes and capacities must not exceed ${MOST_ATTRIBUTES_AND_CAPACITIES}`
    errors.push(invalidValue(field, all, detail))
  }
  if (count > MOST_ATTRIBUTES) {
    const detail = `the total number of attribute values must not exceed ${MOST_ATTRIBUTES}`
    errors.push(invalidValue(field, count, detail))
  }
  return errors
}

const NUMBER = String.raw`(0|[1-9]\d*)`
const PRE_RELEASE = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`
const BUILD = '[0-9a-zA-Z-]+'
const VERSION = new RegExp(
  String.raw`^${NUMBER}\.${NUMBER}\.${NUMBER}(-${PRE_RELEASE}(\.${PRE_RELEASE})*)?(\+${BUILD}(\.${BUILD})*)?$`,
)

function attributeErrors(attribute: JsonObject, field: string): FieldError[] {
  const { int, bool, string, version } = attribute
  const values = [int, bool, string, version].filter((value) => value !== undefined && value !== null)
  const errors: FieldError[] = []
  if (typeof string === 'string') addAll(errors, longValue(string, `${field}.string`))
  if (typeof version === 'string') {
    const at = `${field}.version`
    if (!VERSION.test(version)) {
      errors.push(invalidValue(at, version, 'must be a string compatible with semver.org spec 2.0.0'))
    }
    addAll(errors, longValue(version, at))
  }
  if (values.length === 1) return errors
  const shown = values.length === 0 ? '' : goAttribute(attribute)
  return [...errors, invalidValue(field, shown, 'exactly one value must be specified')]
}

/** An attribute as a message shows Go's internal type. */
function goAttribute({ int, bool, string, version }: JsonObject): RawJson {
  const lists = ['IntValues', 'BoolValues', 'StringValues', 'VersionValues']
  return RawJson.object(
    ['IntValue', int ?? null],
    ['BoolValue', bool ?? null],
    ['StringValue', string ?? null],
    ['VersionValue', version ?? null],
    ...lists.map((name) => [name, null] as const),
  )
}

function longValue(text: string, field: string): FieldError[] {
  return byteLength(text) > LONGEST_VALUE ? [tooLong(field, LONGEST_VALUE)] : []
}

function capacityErrors({ value, requestPolicy }: JsonObject, field: string, shared: boolean): FieldError[] {
  if (!isObject(requestPolicy)) return []
  const at = `${field}.requestPolicy`
  if (!shared) return [forbiddenValue(at, 'allowMultipleAllocations must be true')]
  return requestPolicyErrors(requestPolicy, value, at)
}

function nodeErrors(device: JsonObject, field: string, perDevice: boolean): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device
  const errors: FieldError[] = []
  const set: string[] = []
  const hasName = typeof nodeName === 'string'
  if (!perDevice) {
    if (!hasName && !isObject(nodeSelector) && typeof allNodes !== 'boolean') return []
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
    return [invalidValue(field, null, detail)]
  }
  if (hasName && nodeName === '') errors.push(invalidValue(`${field}.nodeName`, '', 'must not be empty'))
  else if (hasName) {
    set.push('`nodeName`')
    addAll(errors, named(nodeName, `${field}.nodeName`, subdomainProblems))
  }
  if (isObject(nodeSelector)) {
    set.push('`nodeSelector`')
    addAll(errors, validateNodeSelector(nodeSelector, `${field}.nodeSelector`))
  }
  if (allNodes === true) set.push('`allNodes`')
  else if (allNodes === false) {
    errors.push(invalidValue(`${field}.allNodes`, false, 'must be either unset or set to true'))
  }
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec'
  if (set.length === 0) errors.push(requiredValue(field, detail))
  else if (set.length > 1) errors.push(invalidValue(field, `{${set.join(', ')}}`, detail))
  return errors
}
