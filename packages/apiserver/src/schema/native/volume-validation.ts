import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  valueNotFound,
  type FieldError,
} from '../field-error.ts'
import { isObject, textOf, type JsonObject } from '../json.ts'
import { labelProblems } from '../name-syntax.ts'
import { between, eachObject, oneOf, required, requiredName } from './checks.ts'

/** The sources of a volume in the order in which Kubernetes looks at them. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'azureFile',
  'configMap',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'scaleIO',
  'projected',
  'csi',
  'ephemeral',
  'image',
]

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

/** What is wrong with one volume of a Pod. */
export function validateVolume(volume: JsonObject, field: string): FieldError[] {
  const errors = requiredName(volume['name'], `${field}.name`, labelProblems)
  const [first, ...more] = SOURCES.filter((source) => isObject(volume[source]))
  if (first === undefined) return [...errors, requiredValue(field, 'must specify a volume type')]
  for (const source of more) {
    errors.push(forbiddenValue(`${field}.${source}`, 'may not specify more than 1 volume type'))
  }
  return [...errors, ...sourceErrors(first, volume[first] as JsonObject, `${field}.${first}`)]
}

function sourceErrors(name: string, source: JsonObject, field: string): FieldError[] {
  switch (name) {
    case 'hostPath':
      return [
        ...required(source['path'], `${field}.path`),
        ...oneOf(source['type'], HOST_PATH_TYPES, `${field}.type`),
      ]
    case 'secret':
      return [...required(source['secretName'], `${field}.secretName`), ...files(source, field)]
    case 'configMap':
      return [...required(source['name'], `${field}.name`), ...files(source, field)]
    case 'persistentVolumeClaim':
      return required(source['claimName'], `${field}.claimName`)
    case 'projected':
      return mode(source['defaultMode'], `${field}.defaultMode`)
    case 'downwardAPI':
      return [...mode(source['defaultMode'], `${field}.defaultMode`), ...items(source, field, downwardItem)]
    case 'csi':
      return required(source['driver'], `${field}.driver`)
    case 'nfs':
      return [...required(source['server'], `${field}.server`), ...required(source['path'], `${field}.path`)]
    default:
      return []
  }
}

function files(source: JsonObject, field: string): FieldError[] {
  return [...mode(source['defaultMode'], `${field}.defaultMode`), ...items(source, field, keyItem)]
}

function items(
  source: JsonObject,
  field: string,
  check: (item: JsonObject, field: string) => FieldError[],
): FieldError[] {
  return eachObject(source['items'], `${field}.items`, check)
}

function keyItem(item: JsonObject, field: string): FieldError[] {
  return [
    ...required(item['key'], `${field}.key`),
    ...localPath(item['path'], `${field}.path`),
    ...mode(item['mode'], `${field}.mode`),
  ]
}

function downwardItem(item: JsonObject, field: string): FieldError[] {
  return [...localPath(item['path'], `${field}.path`), ...mode(item['mode'], `${field}.mode`)]
}

function mode(value: unknown, field: string): FieldError[] {
  const errors = between(value, 0, 0o777, field)
  return errors.length === 0
    ? []
    : [invalidValue(field, value, 'must be a number between 0 and 0777 (octal), both inclusive')]
}

/** A path inside a volume, which must not lead out of it. */
function localPath(value: unknown, field: string): FieldError[] {
  if (value === undefined || value === '') return [requiredValue(field)]
  const text = textOf(value)
  if (text.startsWith('/')) return [invalidValue(field, text, 'must be a relative path')]
  if (text.split('/').includes('..')) return [invalidValue(field, text, "must not contain '..'")]
  return text.startsWith('..') ? [invalidValue(field, text, "must not start with '..'")] : []
}

/** What is wrong with where a container mounts volumes. */
export function validateMounts(mounts: unknown, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>()
  return eachObject(mounts, field, (mount, at) => {
    const { name, mountPath } = mount
    const errors = required(name, `${at}.name`)
    if (errors.length === 0 && !volumes.has(String(name))) {
      errors.push(valueNotFound(`${at}.name`, name))
    }
    errors.push(...required(mountPath, `${at}.mountPath`))
    if (mountPath && seen.has(textOf(mountPath))) {
      errors.push(invalidValue(`${at}.mountPath`, mountPath, 'must be unique'))
    }
    seen.add(String(mountPath))
    if (mount['subPath'] && mount['subPathExpr']) {
      errors.push(
        invalidValue(
          `${at}.subPathExpr`,
          mount['subPathExpr'],
          'subPathExpr and subPath are mutually exclusive',
        ),
      )
    }
    return errors
  })
}
