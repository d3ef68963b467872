import {
  between,
  descendingPath,
  driverName,
  named,
  noSteppingBack,
  oneOf,
  optionalLabel,
  required,
  requiredName,
} from '../../../checks/index.ts'
import {
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
  unsupportedValue,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'

/** Validates one source of a volume; `persistent` where it is a PersistentVolume's. */
type SourceCheck = (source: JsonObject, field: string, persistent: boolean) => FieldError[]

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

/** Validates that the named fields are set. */
function needs(...names: readonly string[]): SourceCheck {
  return (source, field) =>
    names.flatMap((name) => {
      const value = source[name]
      return Array.isArray(value) && value.length === 0
        ? [requiredValue(`${field}.${name}`)]
        : required(value, `${field}.${name}`)
    })
}

/** The sources that Pods and PersistentVolumes have in common, by the names of their fields. */
export const SOURCE_CHECKS: Readonly<Record<string, SourceCheck>> = {
  hostPath(source, field) {
    if (!source['path']) return [requiredValue(`${field}.path`)]
    return [
      ...noSteppingBack(source['path'], `${field}.path`),
      ...oneOf(source['type'], HOST_PATH_TYPES, `${field}.type`),
    ]
  },
  gitRepo: (source, field) => [
    ...required(source['repository'], `${field}.repository`),
    ...descendingPath(source['directory'], `${field}.directory`),
  ],
  gcePersistentDisk: (source, field) => [
    ...required(source['pdName'], `${field}.pdName`),
    ...partition(source, field),
  ],
  awsElasticBlockStore: (source, field) => [
    ...required(source['volumeID'], `${field}.volumeID`),
    ...partition(source, field),
  ],
  nfs(source, field) {
    const errors = [
      ...required(source['server'], `${field}.server`),
      ...required(source['path'], `${field}.path`),
    ]
    const path = textOf(source['path'] ?? '')
    return path.startsWith('/')
      ? errors
      : [...errors, invalidValue(`${field}.path`, path, 'must be an absolute path')]
  },
  iscsi,
  glusterfs(source, field, persistent) {
    const errors = needs('endpoints', 'path')(source, field, persistent)
    const { endpointsNamespace } = source
    if (endpointsNamespace === undefined) return errors
    if (endpointsNamespace === '') {
      const detail = 'if the endpointnamespace is set, it must be a valid namespace name'
      return [...errors, invalidValue(`${field}.endpointsNamespace`, '', detail)]
    }
    return [...errors, ...named(endpointsNamespace, `${field}.endpointsNamespace`, labelProblems)]
  },
  flocker(source, field) {
    const { datasetName, datasetUUID } = source
    const errors: FieldError[] = []
    if (!datasetName && !datasetUUID) {
      errors.push(requiredValue(field, 'one of datasetName and datasetUUID is required'))
    }
    if (datasetName && datasetUUID) {
      const detail = 'datasetName and datasetUUID can not be specified simultaneously'
      errors.push(invalidValue(field, 'resource', detail))
    }
    if (textOf(datasetName ?? '').includes('/')) {
      errors.push(invalidValue(`${field}.datasetName`, datasetName, "must not contain '/'"))
    }
    return errors
  },
  rbd: needs('monitors', 'image'),
  cinder: (source, field, persistent) => [
    ...required(source['volumeID'], `${field}.volumeID`),
    ...secretErrors(source['secretRef'], field, persistent),
  ],
  cephfs: needs('monitors'),
  quobyte(source, field) {
    const at = `${field}.registry`
    const detail = 'must be a host:port pair or multiple pairs separated by commas'
    const registry = textOf(source['registry'] ?? '')
    const errors: FieldError[] = []
    if (registry === '') errors.push(requiredValue(at, detail))
    else if (textOf(source['tenant'] ?? '').length >= 65) {
      const tenant = 'must be a UUID and may not exceed a length of 64 characters'
      errors.push(requiredValue(`${field}.tenant`, tenant))
    } else {
      for (const pair of registry.split(',')) {
        if (!/^(\[[^\]]*\]|[^:[\]]*):[^:]*$/.test(pair)) errors.push(invalidValue(at, registry, detail))
      }
    }
    return [...errors, ...required(source['volume'], `${field}.volume`)]
  },
  fc(source, field) {
    const wwns = listOf(source['targetWWNs'])
    const wwids = listOf(source['wwids'])
    const errors: FieldError[] = []
    if (wwns.length === 0 && wwids.length === 0) {
      const detail = 'must specify either targetWWNs or wwids, but not both'
      errors.push(requiredValue(`${field}.targetWWNs`, detail))
    }
    if (wwns.length > 0 && wwids.length > 0) {
      const detail = 'targetWWNs and wwids can not be specified simultaneously'
      errors.push(invalidValue(`${field}.targetWWNs`, wwns, detail))
    }
    if (wwns.length === 0) return errors
    if (source['lun'] === undefined) {
      return [...errors, requiredValue(`${field}.lun`, 'lun is required if targetWWNs is specified')]
    }
    return [...errors, ...between(source['lun'], 0, 255, `${field}.lun`)]
  },
  flexVolume(source, field) {
    const errors = required(source['driver'], `${field}.driver`)
    for (const key of Object.keys(objectOf(source['options']))) {
      const [prefix = ''] = key.split('/')
      const domain = `.${prefix.toLowerCase()}`
      if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue
      const detail = 'kubernetes.io and k8s.io namespaces are reserved'
      errors.push(invalidValue(`${field}.options[${key}]`, key, detail))
    }
    return errors
  },
  azureFile(source, field, persistent) {
    const errors = needs('secretName', 'shareName')(source, field, persistent)
    if (!persistent || source['secretNamespace'] !== '') return errors
    return [...errors, requiredValue(`${field}.secretNamespace`)]
  },
  vsphereVolume: needs('volumePath'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  azureDisk,
  storageos: (source, field, persistent) => [
    ...requiredName(source['volumeName'], `${field}.volumeName`, labelProblems),
    ...optionalLabel(source['volumeNamespace'], `${field}.volumeNamespace`),
    ...secretErrors(source['secretRef'], field, persistent),
  ],
  scaleIO: needs('gateway', 'system', 'volumeName'),
  csi(source, field, persistent) {
    const errors = driverName(source['driver'], `${field}.driver`)
    if (persistent) return [...errors, ...persistentCsiErrors(source, field)]
    const { nodePublishSecretRef } = source
    if (!isObject(nodePublishSecretRef)) return errors
    const name = textOf(nodePublishSecretRef['name'] ?? '')
    return name === ''
      ? [...errors, requiredValue(`${field}.nodePublishSecretRef.name`)]
      : [...errors, ...named(name, `${field}.name`, subdomainProblems)]
  },
  local(source, field) {
    if (!source['path']) return [requiredValue(`${field}.path`)]
    return noSteppingBack(source['path'], `${field}.path`)
  },
}

function partition(source: JsonObject, field: string): FieldError[] {
  const value = source['partition'] ?? 0
  if (Number(value) >= 0 && Number(value) <= 255) return []
  return [invalidValue(`${field}.partition`, value, 'must be between 1 and 255, inclusive')]
}

function secretErrors(reference: unknown, field: string, persistent: boolean): FieldError[] {
  if (!isObject(reference)) return []
  return [
    ...required(reference['name'], `${field}.secretRef.name`),
    ...(persistent ? required(reference['namespace'], `${field}.secretRef.namespace`) : []),
  ]
}

function persistentCsiErrors(source: JsonObject, field: string): FieldError[] {
  const errors = required(source['volumeHandle'], `${field}.volumeHandle`)
  for (const name of ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand']) {
    const reference = source[`${name}SecretRef`]
    if (!isObject(reference)) continue
    const at = `${field}.${name}SecretRef`
    addAll(
      errors,
      requiredName(reference['name'], `${at}.name`, subdomainProblems),
      requiredName(reference['namespace'], `${at}.namespace`, labelProblems),
    )
  }
  return errors
}

const IQN = /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/
const INITIATORS: readonly (readonly [string, RegExp])[] = [
  ['iqn', IQN],
  ['eui', /^eui.[A-Za-z0-9]{16}$/],
  ['naa', /^naa.[A-Za-z0-9]{32}$/],
]

function initiatorErrors(value: unknown, field: string, otherwise: string): FieldError[] {
  const text = textOf(value)
  const form = INITIATORS.find(([prefix]) => text.startsWith(prefix))
  if (!form) return [invalidValue(field, text, otherwise)]
  return form[1].test(text) ? [] : [invalidValue(field, text, 'must be valid format')]
}

function iscsi(source: JsonObject, field: string, persistent: boolean): FieldError[] {
  const otherwise = persistent
    ? 'must be valid format'
    : 'must be valid format starting with iqn, eui, or naa'
  const errors = required(source['targetPortal'], `${field}.targetPortal`)
  if (source['iqn']) addAll(errors, initiatorErrors(source['iqn'], `${field}.iqn`, otherwise))
  else errors.push(requiredValue(`${field}.iqn`))
  addAll(errors, between(source['lun'] ?? 0, 0, 255, `${field}.lun`))
  const chap = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true
  if (chap && !isObject(source['secretRef'])) errors.push(requiredValue(`${field}.secretRef`))
  if (persistent && isObject(source['secretRef'])) {
    addAll(errors, required(source['secretRef']['name'], `${field}.secretRef.name`))
  }
  const { initiatorName } = source
  if (initiatorName === undefined) return errors
  return [...errors, ...initiatorErrors(initiatorName, `${field}.initiatorname`, otherwise)]
}

const MANAGED =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const BLOB = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

function azureDisk(source: JsonObject, field: string): FieldError[] {
  const { kind, cachingMode } = source
  const uri = textOf(source['diskURI'] ?? '')
  const errors = [
    ...required(source['diskName'], `${field}.diskName`),
    ...required(uri, `${field}.diskURI`),
    ...oneOf(cachingMode, ['None', 'ReadOnly', 'ReadWrite'], `${field}.cachingMode`),
    ...oneOf(kind, ['Dedicated', 'Managed', 'Shared'], `${field}.kind`),
  ]
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/')) {
    errors.push(unsupportedValue(`${field}.diskURI`, uri, [MANAGED]))
  }
  if (kind !== undefined && kind !== 'Managed' && !uri.startsWith('https://')) {
    errors.push(unsupportedValue(`${field}.diskURI`, uri, [BLOB]))
  }
  return errors
}
