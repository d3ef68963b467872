import {
  driverName,
  eachObject,
  named,
  objectsIn,
  required,
  requiredOneOf,
  unchanged,
  validateConditions,
} from '../../checks/index.ts'
import {
  duplicateValue,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  RawJson,
  textOf,
  tooMany,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { bindingConditionErrors } from '../devices/binding-conditions.ts'
import { poolName } from '../devices/device-names.ts'
import { limitedList, limitedSet } from '../devices/limited-lists.ts'
import { configurationErrors, rawObjectErrors } from '../devices/opaque-configuration.ts'
import { validateNodeSelector } from '../pod-spec/validation/scheduling-validation.ts'
import { networkDataErrors } from './network-data.ts'
import { namesOf, oneReference, referenceErrors, type RequestNames } from './request-references.ts'
import { shareIdErrors } from './share-id.ts'

const MOST_CONSUMERS = 256
const MOST_RESULTS = 32
const MOST_CONFIGURATIONS = 64
const MOST_CONDITIONS = 8
const LONGEST_DATA = 10_240

/** Validates a new status of a claim: the devices that it got, the Pods that use them, and the data of their drivers. */
export function validateClaimStatus(claim: JsonObject, old: JsonObject): FieldError[] {
  const status = objectOf(claim['status'])
  const [{ allocation, reservedFor, devices }, before] = [status, objectOf(old['status'])]
  const allocated = new Set(resultsOf(status).map(deviceId))
  const errors = [
    ...limitedSet(reservedFor, 'status.reservedFor', MOST_CONSUMERS, consumerErrors, 'uid'),
    ...eachObject(devices, 'status.devices', (device, at) => deviceErrors(device, at, allocated)),
    ...repeatedDevices(devices),
  ]
  if (listOf(reservedFor).length > 0) {
    const at = 'status.reservedFor'
    if (!isObject(allocation)) {
      errors.push(forbiddenValue(at, 'may not be specified when `allocated` is not set'))
    } else if (
      objectOf(claim['metadata'])['deletionTimestamp'] &&
      hasNew(reservedFor, before['reservedFor'])
    ) {
      const detail =
        'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'
      errors.push(forbiddenValue(at, detail))
    }
  }
  if (!isObject(allocation)) return errors
  if (isObject(before['allocation'])) {
    return [...errors, ...unchanged(allocation, before['allocation'], 'status.allocation')]
  }
  const names = namesOf(objectOf(objectOf(claim['spec'])['devices'])['requests'])
  return [...errors, ...allocationErrors(allocation, names)]
}

/** Drops the drivers' data about devices that the claim no longer has. */
export function dropDeallocated(claim: JsonObject, old: JsonObject): void {
  const [status, before] = [objectOf(claim['status']), objectOf(old['status'])]
  const gone = new Set(resultsOf(before).map(deviceId))
  for (const result of resultsOf(status)) gone.delete(deviceId(result))
  if (gone.size === 0 || !Array.isArray(status['devices'])) return
  const kept = objectsIn(status['devices']).filter((device) => !gone.has(deviceId(device)))
  if (kept.length > 0) status['devices'] = kept
  else delete status['devices']
}

function resultsOf(status: JsonObject): JsonObject[] {
  return objectsIn(objectOf(objectOf(status['allocation'])['devices'])['results'])
}

function deviceId({ driver, pool, device, shareID }: JsonObject): string {
  const parts = [driver, pool, device].map((part) => textOf(part ?? ''))
  return [...parts, ...(shareID ? [textOf(shareID)] : [])].join('/')
}

/** The identity of a device, as a message shows Go's type. Kubernetes leaves the values out. */
function shownId({ driver, pool, device, shareID }: JsonObject): RawJson {
  return RawJson.object(['Driver', driver], ['Pool', pool], ['Device', device], ['ShareID', shareID])
}

function repeatedDevices(devices: unknown): FieldError[] {
  const seen = new Set<string>()
  return eachObject(devices, 'status.devices', (device, at) => {
    const id = deviceId(device)
    if (seen.has(id)) return [duplicateValue(at, shownId(device))]
    seen.add(id)
    return []
  })
}

function hasNew(consumers: unknown, before: unknown): boolean {
  return listOf(consumers).some((consumer) => !listOf(before).some((one) => equalJson(one, consumer)))
}

function consumerErrors({ resource, name, uid }: JsonObject, field: string): FieldError[] {
  return [
    ...required(resource, `${field}.resource`),
    ...required(name, `${field}.name`),
    ...required(uid, `${field}.uid`),
  ]
}

function allocationErrors({ devices, nodeSelector }: JsonObject, names: RequestNames): FieldError[] {
  const at = 'status.allocation.devices'
  const { results, config } = objectOf(devices)
  return [
    ...limitedList(results, `${at}.results`, MOST_RESULTS, (result, place) =>
      resultErrors(result, place, names),
    ),
    ...limitedList(config, `${at}.config`, MOST_CONFIGURATIONS, (one, place) => [
      ...requiredOneOf(one['source'], ['FromClaim', 'FromClass'], `${place}.source`),
      ...referenceErrors(one['requests'], `${place}.requests`, names),
      ...configurationErrors(one, place),
    ]),
    ...(isObject(nodeSelector) ? validateNodeSelector(nodeSelector, 'status.allocation.nodeSelector') : []),
  ]
}

function resultErrors(result: JsonObject, field: string, names: RequestNames): FieldError[] {
  return [
    ...oneReference(textOf(result['request'] ?? ''), `${field}.request`, names),
    ...identityErrors(result, field),
    ...bindingConditionErrors(result, field),
  ]
}

/** The errors of the fields that identify a device. */
function identityErrors({ driver, pool, device, shareID }: JsonObject, field: string): FieldError[] {
  return [
    ...driverName(driver, `${field}.driver`),
    ...poolName(pool, `${field}.pool`),
    ...named(device, `${field}.device`, labelProblems),
    ...(typeof shareID === 'string' ? shareIdErrors(shareID, `${field}.shareID`) : []),
  ]
}

function deviceErrors(device: JsonObject, field: string, allocated: ReadonlySet<string>): FieldError[] {
  const { conditions, data, networkData } = device
  const errors = identityErrors(device, field)
  const id = deviceId(device)
  if (!allocated.has(id)) {
    errors.push(invalidValue(field, shownId(device), 'must be an allocated device in the claim'))
  }
  const { length } = listOf(conditions)
  if (length > MOST_CONDITIONS) errors.push(tooMany(`${field}.conditions`, length, MOST_CONDITIONS))
  addAll(errors, validateConditions(conditions, `${field}.conditions`))
  if (data !== undefined && data !== null)
    addAll(errors, rawObjectErrors(data, `${field}.data`, LONGEST_DATA))
  if (isObject(networkData)) addAll(errors, networkDataErrors(networkData, `${field}.networkData`))
  return errors
}
