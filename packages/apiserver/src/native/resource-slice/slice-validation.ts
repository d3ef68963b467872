import { driverName, named, objectsIn, unchanged } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  subdomainProblems,
  wasSentEmpty,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { poolName } from '../devices/device-names.ts'
import { limitedSet } from '../devices/limited-lists.ts'
import { validateNodeSelector } from '../pod-spec/validation/scheduling-validation.ts'
import { counterErrors, deviceErrors } from './device-validation.ts'

const MOST_DEVICES = 128
/** The most devices of a slice in which one has taints or consumes counters. */
const MOST_ADVANCED_DEVICES = 64
const MOST_COUNTER_SETS = 8

/** Validates the devices that a driver offers. */
export function validateSlice(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const { driver, devices, sharedCounters, perDeviceNodeSelection } = spec
  const before = new Map(objectsIn(old?.['devices']).map((device) => [device['name'], device]))
  const advanced = objectsIn(devices).some(
    ({ taints, consumesCounters }) => listOf(taints).length > 0 || listOf(consumesCounters).length > 0,
  )
  const perDevice = perDeviceNodeSelection === true
  return [
    ...driverName(driver, 'spec.driver'),
    ...poolErrors(objectOf(spec['pool'])),
    ...nodeErrors(spec),
    ...(isSent(spec, 'devices') && isSent(spec, 'sharedCounters')
      ? [invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...limitedSet(devices, 'spec.devices', advanced ? MOST_ADVANCED_DEVICES : MOST_DEVICES, (device, at) =>
      deviceErrors(device, before.get(device['name']), at, perDevice),
    ),
    ...limitedSet(sharedCounters, 'spec.sharedCounters', MOST_COUNTER_SETS, ({ name, counters }, at) =>
      counterErrors(name, `${at}.name`, counters, at),
    ),
  ]
}

/** Whether a list was sent, also an empty one. */
function isSent(object: JsonObject, name: string): boolean {
  return Array.isArray(object[name]) || wasSentEmpty(object, name)
}

/** The fields that identify the slice cannot be changed. */
export function validateSliceUpdate(spec: JsonObject, old: JsonObject): FieldError[] {
  const [name, oldName] = [objectOf(spec['pool'])['name'], objectOf(old['pool'])['name']]
  return [
    ...unchanged(name ?? '', oldName ?? '', 'spec.pool.name'),
    ...unchanged(spec['driver'] ?? '', old['driver'] ?? '', 'spec.driver'),
    ...unchanged(spec['nodeName'], old['nodeName'], 'spec.nodeName'),
  ]
}

function poolErrors({ name, resourceSliceCount, generation }: JsonObject): FieldError[] {
  const errors = poolName(name, 'spec.pool.name')
  const count = isNumber(resourceSliceCount) ? resourceSliceCount : 0
  if (count <= 0) {
    errors.push(invalidValue('spec.pool.resourceSliceCount', count, 'must be greater than zero'))
  }
  if (isNumber(generation) && generation < 0) {
    errors.push(invalidValue('spec.pool.generation', generation, 'must be greater than or equal to zero'))
  }
  return errors
}

const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'

/** Which nodes have the devices. */
function nodeErrors(spec: JsonObject): FieldError[] {
  const { nodeName, nodeSelector } = spec
  const errors: FieldError[] = []
  const set: string[] = []
  if (nodeName === '') {
    const detail = 'must be either unset or set to a non-empty string'
    errors.push(invalidValue('spec.nodeName', '', detail))
  } else if (typeof nodeName === 'string') {
    set.push('`nodeName`')
    addAll(errors, named(nodeName, 'spec.nodeName', subdomainProblems))
  }
  if (isObject(nodeSelector)) {
    set.push('`nodeSelector`')
    addAll(errors, validateNodeSelector(nodeSelector, 'spec.nodeSelector'), oneTermErrors(nodeSelector))
  }
  for (const name of ['allNodes', 'perDeviceNodeSelection']) {
    const value = spec[name]
    if (value === true) set.push(`\`${name}\``)
    else if (value === false) {
      errors.push(invalidValue(`spec.${name}`, false, 'must be either unset or set to true'))
    }
  }
  if (set.length === 0) errors.push(requiredValue('spec', ONE_OF))
  else if (set.length > 1) {
    const detail = `${ONE_OF}, but multiple fields are set`
    errors.push(invalidValue('spec', `{${set.join(', ')}}`, detail))
  }
  return errors
}

function oneTermErrors(selector: JsonObject): FieldError[] {
  const terms = objectsIn(selector['nodeSelectorTerms'])
  if (terms.length === 1) return []
  const shown = isSent(selector, 'nodeSelectorTerms') ? terms.map(goTerm) : null
  const detail = 'must have exactly one node selector term'
  return [invalidValue('spec.nodeSelector.nodeSelectorTerms', shown, detail)]
}

/** A term as a message shows Go's internal type. */
function goTerm({ matchExpressions, matchFields }: JsonObject): RawJson {
  const requirements = (list: unknown): unknown =>
    Array.isArray(list)
      ? objectsIn(list).map(({ key = '', operator = '', values = null }) =>
          RawJson.object(['Key', key], ['Operator', operator], ['Values', values]),
        )
      : null
  return RawJson.object(
    ['MatchExpressions', requirements(matchExpressions)],
    ['MatchFields', requirements(matchFields)],
  )
}
