import { descendingPath, eachObject, noSteppingBack, objectsIn, required } from '../../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  textOf,
  unsupportedValue,
  valueNotFound,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'

/** The valid volumes of a Pod, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>

/** Validates the volume mounts of a container. */
export function validateMounts(container: JsonObject, field: string, volumes: Volumes): FieldError[] {
  const devices = new Map(
    objectsIn(container['volumeDevices']).map((one) => [one['name'], one['devicePath']]),
  )
  const seen = new Set<string>()
  return eachObject(container['volumeMounts'], field, (mount, at) => {
    const name = textOf(mount['name'] ?? '')
    const path = textOf(mount['mountPath'] ?? '')
    const errors = required(name, `${at}.name`)
    if (!volumes.has(name)) errors.push(valueNotFound(`${at}.name`, name))
    addAll(errors, required(path, `${at}.mountPath`))
    if (seen.has(path)) errors.push(invalidValue(`${at}.mountPath`, path, 'must be unique'))
    seen.add(path)
    if (devices.has(name)) {
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices'))
    }
    if ([...devices.values()].includes(path)) {
      errors.push(invalidValue(`${at}.mountPath`, path, 'must not already exist as a path in volumeDevices'))
    }
    return [...errors, ...subPathErrors(mount, at, field), ...propagationErrors(mount, container, field)]
  })
}

function subPathErrors(mount: JsonObject, at: string, field: string): FieldError[] {
  const { subPath, subPathExpr } = mount
  const errors = subPath ? descendingPath(subPath, `${field}.subPath`) : []
  if (!subPathExpr) return errors
  if (subPath) {
    const detail = 'subPathExpr and subPath are mutually exclusive'
    errors.push(invalidValue(`${at}.subPathExpr`, subPathExpr, detail))
  }
  return [...errors, ...descendingPath(subPathExpr, `${field}.subPathExpr`)]
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None']

function propagationErrors(mount: JsonObject, container: JsonObject, field: string): FieldError[] {
  const { mountPropagation, recursiveReadOnly } = mount
  const errors: FieldError[] = []
  if (mountPropagation !== undefined) {
    const at = `${field}.mountPropagation`
    if (!PROPAGATIONS.includes(textOf(mountPropagation))) {
      errors.push(unsupportedValue(at, mountPropagation, PROPAGATIONS))
    }
    const privileged = objectOf(container['securityContext'])['privileged'] === true
    if (mountPropagation === 'Bidirectional' && !privileged) {
      const detail = 'Bidirectional mount propagation is available only to privileged containers'
      errors.push(forbiddenValue(at, detail))
    }
  }
  const at = `${field}.recursiveReadOnly`
  if (recursiveReadOnly === 'Enabled' || recursiveReadOnly === 'IfPossible') {
    if (mount['readOnly'] !== true) {
      errors.push(forbiddenValue(at, 'may only be specified when readOnly is true'))
    }
    if (mountPropagation !== undefined && mountPropagation !== 'None') {
      const detail = 'may only be specified when mountPropagation is None or not specified'
      errors.push(forbiddenValue(at, detail))
    }
  } else if (recursiveReadOnly !== undefined && recursiveReadOnly !== 'Disabled') {
    errors.push(unsupportedValue(at, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible']))
  }
  return errors
}

/** Validates the volume devices of a container. */
export function validateDevices(container: JsonObject, field: string, volumes: Volumes): FieldError[] {
  const mounts = new Map(objectsIn(container['volumeMounts']).map((one) => [one['name'], one['mountPath']]))
  const names = new Set<string>()
  const paths = new Set<string>()
  return eachObject(container['volumeDevices'], field, (device, at) => {
    const name = textOf(device['name'] ?? '')
    const path = textOf(device['devicePath'] ?? '')
    const volume = volumes.get(name)
    const errors = required(name, `${at}.name`)
    if (names.has(name)) errors.push(invalidValue(`${at}.name`, name, 'must be unique'))
    if (volume && !isObject(volume['persistentVolumeClaim']) && !isObject(volume['ephemeral'])) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      errors.push(invalidValue(`${at}.name`, name, detail))
    }
    if (!volume) errors.push(valueNotFound(`${at}.name`, name))
    addAll(errors, required(path, `${at}.devicePath`))
    if (paths.has(path)) errors.push(invalidValue(`${at}.devicePath`, path, 'must be unique'))
    if (path !== '' && noSteppingBack(path, '').length > 0) {
      errors.push(invalidValue(`${at}.devicePath`, path, "can not contain backsteps ('..')"))
    } else paths.add(path)
    if (mounts.has(name)) {
      errors.push(invalidValue(`${at}.name`, name, 'must not already exist in volumeMounts'))
    }
    if ([...mounts.values()].includes(path)) {
      const detail = 'must not already exist as a path in volumeMounts'
      errors.push(invalidValue(`${at}.devicePath`, path, detail))
    }
    if (name !== '') names.add(name)
    return errors
  })
}
