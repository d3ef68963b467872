import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  type FieldError,
} from '../field-error.ts'
import { isObject, listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import {
  configKeyProblems,
  environmentNameProblems,
  labelProblems,
  portNameProblems,
  subdomainProblems,
} from '../name-syntax.ts'
import { between, eachObject, named, oneOf, port, required, requiredName } from './checks.ts'
import { validateProbes } from './probe-validation.ts'
import { validateResources } from './resource-validation.ts'
import { validateMounts } from './volume-validation.ts'

const LARGEST_ID = 2 ** 31 - 1

/** What containers of one Pod share. */
export interface PodContext {
  /** The names of its volumes. */
  readonly volumes: ReadonlySet<string>
  /** The names of containers that came before. */
  readonly names: Set<string>
  /** The ports of the node that containers before have taken. */
  readonly hostPorts: Set<string>
}

/** What is wrong with one container. */
export function validateContainer(
  container: JsonObject,
  field: string,
  pod: PodContext,
  kind: 'containers' | 'initContainers',
): FieldError[] {
  const errors: FieldError[] = []
  const { name, image } = container
  errors.push(...requiredName(name, `${field}.name`, labelProblems))
  if (name && pod.names.has(textOf(name))) errors.push(duplicateValue(`${field}.name`, name))
  pod.names.add(String(name))
  errors.push(...required(image, `${field}.image`))
  if (typeof image === 'string' && image !== image.trim()) {
    errors.push(invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace'))
  }
  const policies = ['Always', 'IfNotPresent', 'Never']
  errors.push(
    ...oneOf(container['imagePullPolicy'], policies, `${field}.imagePullPolicy`),
    ...oneOf(
      container['terminationMessagePolicy'],
      ['File', 'FallbackToLogsOnError'],
      `${field}.terminationMessagePolicy`,
    ),
    ...validatePorts(container, `${field}.ports`, pod),
    ...eachObject(container['env'], `${field}.env`, validateVariable),
    ...listOf(container['envFrom']).flatMap((source, index) =>
      validateSource(objectOf(source), `${field}.envFrom`, index),
    ),
    ...validateMounts(container['volumeMounts'], `${field}.volumeMounts`, pod.volumes),
    ...validateResources(container['resources'], `${field}.resources`),
    ...validateSecurity(container, `${field}.securityContext`),
  )
  const sidecar = kind === 'containers' || container['restartPolicy'] === 'Always'
  if (sidecar) errors.push(...validateProbes(container, field))
  else {
    for (const probe of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (!isObject(container[probe])) continue
      const detail = 'may not be set for init containers without restartPolicy=Always'
      errors.push(forbiddenValue(`${field}.${probe}`, detail))
    }
  }
  return errors
}

function validatePorts(container: JsonObject, field: string, pod: PodContext): FieldError[] {
  const names = new Set<unknown>()
  return eachObject(container['ports'], field, (item, at) => {
    const errors: FieldError[] = []
    const { name, containerPort, hostPort, protocol, hostIP } = item
    if (typeof name === 'string' && name !== '') {
      errors.push(...named(name, `${at}.name`, portNameProblems))
      if (errors.length === 0 && names.has(name)) errors.push(duplicateValue(`${at}.name`, name))
      names.add(name)
    }
    if (!containerPort) errors.push(requiredValue(`${at}.containerPort`))
    else errors.push(...port(containerPort, `${at}.containerPort`))
    if (hostPort) {
      errors.push(...port(hostPort, `${at}.hostPort`))
      const taken = `${textOf(protocol)}/${textOf(hostIP ?? '')}/${textOf(hostPort)}`
      if (pod.hostPorts.has(taken)) errors.push(duplicateValue(`${at}.hostPort`, taken))
      pod.hostPorts.add(taken)
    }
    if (!protocol) errors.push(requiredValue(`${at}.protocol`))
    else errors.push(...oneOf(protocol, ['SCTP', 'TCP', 'UDP'], `${at}.protocol`))
    return errors
  })
}

const FIELD_PATHS = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
])
const VALUE_SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef']

function validateVariable(variable: JsonObject, field: string): FieldError[] {
  const errors = requiredName(variable['name'], `${field}.name`, environmentNameProblems)
  const { valueFrom } = variable
  if (!isObject(valueFrom)) return errors
  const at = `${field}.valueFrom`
  const sources = VALUE_SOURCES.filter((source) => isObject(valueFrom[source]))
  if (sources.length === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    errors.push(invalidValue(at, '', detail))
  } else if (variable['value']) {
    errors.push(invalidValue(at, '', 'may not be specified when `value` is not empty'))
  } else if (sources.length > 1) {
    errors.push(invalidValue(at, '', 'may not have more than one field specified at a time'))
  }
  for (const source of sources)
    errors.push(...referenceErrors(source, valueFrom[source] as JsonObject, `${at}.${source}`))
  return errors
}

function referenceErrors(source: string, reference: JsonObject, field: string): FieldError[] {
  if (source === 'configMapKeyRef' || source === 'secretKeyRef') {
    const key = reference['key']
    return [
      ...named(reference['name'], `${field}.name`, subdomainProblems),
      ...(key ? named(key, `${field}.key`, configKeyProblems) : [requiredValue(`${field}.key`)]),
    ]
  }
  if (source !== 'fieldRef') return []
  const path = textOf(reference['fieldPath'] ?? '')
  if (path === '') return [requiredValue(`${field}.fieldPath`)]
  if (FIELD_PATHS.has(path) || /^metadata\.(annotations|labels)\['.+'\]$/.test(path)) return []
  if (path === 'metadata.labels' || path === 'metadata.annotations') return []
  const detail = `error converting fieldPath: field label not supported: ${path}`
  return [invalidValue(`${field}.fieldPath`, path, detail)]
}

function validateSource(source: JsonObject, field: string, index: number): FieldError[] {
  const { configMapRef, secretRef, prefix } = source
  const errors = prefix ? named(prefix, `${field}[${index}].prefix`, environmentNameProblems) : []
  if (!isObject(configMapRef) && !isObject(secretRef)) {
    errors.push(invalidValue(field, '', 'must specify one of: `configMapRef` or `secretRef`'))
  } else if (isObject(configMapRef) && isObject(secretRef)) {
    errors.push(invalidValue(field, '', 'may not have more than one field specified at a time'))
  }
  for (const name of ['configMapRef', 'secretRef']) {
    const reference = source[name]
    if (isObject(reference)) {
      errors.push(...named(reference['name'], `${field}[${index}].${name}.name`, subdomainProblems))
    }
  }
  return errors
}

function validateSecurity(container: JsonObject, field: string): FieldError[] {
  const security = container['securityContext']
  if (!isObject(security)) return []
  return ['runAsUser', 'runAsGroup'].flatMap((name) =>
    between(security[name], 0, LARGEST_ID, `${field}.${name}`),
  )
}
