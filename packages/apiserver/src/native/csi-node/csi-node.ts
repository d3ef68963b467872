import { labelKeyProblems } from '@homeostat/api'
import { driverName, eachObject, named, notNegative, objectsIn, unchanged } from '../../checks/index.ts'
import {
  byteLength,
  copyJson,
  duplicateValue,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { csiNodePrinter } from './table.ts'

/** CSINodes. */
export const csiNode: NativeKind = {
  group: 'storage.k8s.io',
  kind: 'CSINode',
  unconditionalUpdate: false,
  returnsDeleted: true,
  table: csiNodePrinter,
  updateSteps: ['metadata', 'object', 'change'],
  default(object) {
    if (isObject(object['spec'])) object['spec']['drivers'] ??= null
  },
  validate(object) {
    const names = new Set<unknown>()
    return eachObject(objectOf(object['spec'])['drivers'], 'spec.drivers', (driver, at) => {
      const errors = driverName(driver['name'], `${at}.name`)
      const id = textOf(driver['nodeID'] ?? '')
      if (id === '') errors.push(requiredValue(`${at}.nodeID`))
      if (byteLength(id) > 256)
        errors.push(invalidValue(`${at}.nodeID`, id, 'must be 256 characters or less'))
      addAll(errors, notNegative(objectOf(driver['allocatable'])['count'], `${at}.allocatable.count`))
      if (names.has(driver['name'])) errors.push(duplicateValue(`${at}.name`, driver['name']))
      names.add(driver['name'])
      const keys = new Set<string>()
      for (const key of listOf(driver['topologyKeys']).map(textOf)) {
        if (key === '') errors.push(requiredValue(at))
        if (keys.has(key)) errors.push(duplicateValue(at, key))
        keys.add(key)
        addAll(errors, named(key, at, labelKeyProblems))
      }
      return errors
    })
  },
  validateUpdate: (object, old) => changedDrivers(object, old, withoutCount),
}

/** Refuses a change of a driver. `fixed` returns the part of a driver that cannot change. */
export function changedDrivers(
  object: JsonObject,
  old: JsonObject,
  fixed: (driver: JsonObject) => JsonObject,
): FieldError[] {
  const now = objectsIn(objectOf(object['spec'])['drivers'])
  return objectsIn(objectOf(old['spec'])['drivers']).flatMap((before) =>
    now
      .filter(({ name }) => name === before['name'])
      .flatMap((driver) => {
        const shown = { Name: driver['name'], NodeID: driver['nodeID'] }
        return unchanged(fixed(driver), fixed(before), 'spec.drivers', shown)
      }),
  )
}

function withoutCount(driver: JsonObject): JsonObject {
  const copy = copyJson(driver)
  delete copy['allocatable']
  return copy
}
