import {
  eachObject,
  named,
  oneOf,
  port,
  required,
  requiredName,
  requiredOneOf,
} from '../../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  portNameProblems,
  requiredValue,
  textOf,
  tooMany,
  unsupportedValue,
  valueNotFound,
  wasSentEmpty,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'
import { validateResources } from '../../compute-resources/resource-validation.ts'
import { validateContainerSecurity } from './container-security.ts'
import { validateEnvironment } from './environment-validation.ts'
import { validateDevices, validateMounts, type Volumes } from './mount-validation.ts'
import { validateProbes } from './probe-validation.ts'

/** The facts about a Pod that the validation of its containers needs. */
export interface PodContext {
  readonly spec: JsonObject
  readonly volumes: Volumes
  /** The names of its resource claims. */
  readonly claims: ReadonlySet<string>
}

/** Validates the containers of a Pod. */
export function validateContainers(pod: PodContext, field: string): FieldError[] {
  const containers = listOf(pod.spec['containers'])
  if (containers.length === 0) return [requiredValue(field)]
  const names = new Set<string>()
  const errors = eachObject(containers, field, (container, at) => [
    ...commonErrors(container, at, pod),
    ...unique(container, at, names),
    ...validateProbes(container, at, pod.spec),
    ...restartErrors(container, at),
  ])
  return [...errors, ...hostPortErrors(containers, field)]
}

/** Validates init containers. */
export function validateInitContainers(pod: PodContext, field: string): FieldError[] {
  const names = new Set(listOf(pod.spec['containers']).map((one) => textOf(objectOf(one)['name'])))
  return eachObject(pod.spec['initContainers'], field, (container, at) => {
    const errors = commonErrors(container, at, pod)
    const sidecar = container['restartPolicy'] === 'Always'
    // Restart rules of an init container without a policy are not validated.
    const restarts = restartErrors(container, at)
    addAll(errors, container['restartPolicy'] === undefined ? restarts.slice(0, 1) : restarts)
    if (names.has(textOf(container['name'] ?? ''))) {
      errors.push(duplicateValue(`${at}.name`, container['name'] ?? ''))
    } else if (container['name']) names.add(textOf(container['name']))
    addAll(errors, hostPortErrors([container], field))
    if (sidecar) addAll(errors, validateProbes(container, at, pod.spec))
    else {
      for (const part of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
        if (!isObject(container[part])) continue
        const detail = 'may not be set for init containers without restartPolicy=Always'
        errors.push(forbiddenValue(`${at}.${part}`, detail))
      }
      for (const [index, policy] of listOf(container['resizePolicy']).entries()) {
        const { restartPolicy } = objectOf(policy)
        if (restartPolicy !== 'RestartContainer') continue
        const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers"
        errors.push(invalidValue(`${at}.resizePolicy[${index}].restartPolicy`, restartPolicy, detail))
      }
    }
    return errors
  })
}

/** The fields that an ephemeral container cannot have. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
]
const RESOURCES = ['claims', 'limits', 'requests']

/** Validates ephemeral containers. */
export function validateEphemeralContainers(pod: PodContext, field: string): FieldError[] {
  const others = new Set(
    [...listOf(pod.spec['containers']), ...listOf(pod.spec['initContainers'])].map((one) =>
      textOf(objectOf(one)['name']),
    ),
  )
  const names = new Set(others)
  return eachObject(pod.spec['ephemeralContainers'], field, (container, at) => {
    const errors = [...commonErrors(container, at, pod), ...paddedImage(container, at)]
    addAll(errors, unique(container, at, names))
    const target = textOf(container['targetContainerName'] ?? '')
    if (target !== '' && !others.has(target)) errors.push(valueNotFound(`${at}.targetContainerName`, target))
    for (const part of NOT_EPHEMERAL) {
      if (!isSet(container, part)) continue
      errors.push(forbiddenValue(`${at}.${part}`, 'cannot be set for an Ephemeral Container'))
    }
    for (const [index, mount] of listOf(container['volumeMounts']).entries()) {
      for (const part of ['subPath', 'subPathExpr']) {
        if (!objectOf(mount)[part]) continue
        const detail = 'cannot be set for an Ephemeral Container'
        errors.push(forbiddenValue(`${at}.volumeMounts[${index}].${part}`, detail))
      }
    }
    return errors
  })
}

function isSet(container: JsonObject, part: string): boolean {
  const value = container[part]
  if (value === undefined) return wasSentEmpty(container, part)
  // Kubernetes' type always has `resources`: it counts as set when it is not empty.
  if (part !== 'resources' || !isObject(value)) return true
  return Object.keys(value).length > 0 || RESOURCES.some((name) => wasSentEmpty(value, name))
}

/** Validates that the name of an image has no white space around it. Templates are not checked for this. */
export function paddedImage(container: JsonObject, field: string): FieldError[] {
  const image = textOf(container['image'] ?? '')
  if (image === image.trim()) return []
  return [invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace')]
}

function commonErrors(container: JsonObject, field: string, pod: PodContext): FieldError[] {
  return [
    ...requiredName(container['name'], `${field}.name`, labelProblems),
    ...required(container['image'], `${field}.image`),
    ...requiredOneOf(
      container['terminationMessagePolicy'],
      ['File', 'FallbackToLogsOnError'],
      `${field}.terminationMessagePolicy`,
    ),
    ...validatePorts(container, `${field}.ports`),
    ...validateEnvironment(container, field),
    ...validateMounts(container, `${field}.volumeMounts`, pod.volumes),
    ...validateDevices(container, `${field}.volumeDevices`, pod.volumes),
    ...requiredOneOf(container['imagePullPolicy'], PULL_POLICIES, `${field}.imagePullPolicy`),
    ...validateResources(container['resources'], `${field}.resources`, pod.claims),
    ...resizeErrors(container, `${field}.resizePolicy`, pod.spec['restartPolicy']),
    ...validateContainerSecurity(container['securityContext'], `${field}.securityContext`, pod.spec),
  ]
}

/** When an image is pulled. */
export const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

function unique(container: JsonObject, field: string, names: Set<string>): FieldError[] {
  const name = textOf(container['name'] ?? '')
  const errors = names.has(name) ? [duplicateValue(`${field}.name`, name)] : []
  names.add(name)
  return errors
}

function validatePorts(container: JsonObject, field: string): FieldError[] {
  const names = new Set<unknown>()
  return eachObject(container['ports'], field, (item, at) => {
    const errors: FieldError[] = []
    const { name, containerPort, hostPort, protocol } = item
    if (typeof name === 'string' && name !== '') {
      const wrong = named(name, `${at}.name`, portNameProblems)
      if (wrong.length === 0 && names.has(name)) wrong.push(duplicateValue(`${at}.name`, name))
      else if (wrong.length === 0) names.add(name)
      addAll(errors, wrong)
    }
    if (!containerPort) errors.push(requiredValue(`${at}.containerPort`))
    else addAll(errors, port(containerPort, `${at}.containerPort`))
    if (hostPort) addAll(errors, port(hostPort, `${at}.hostPort`))
    return [...errors, ...requiredOneOf(protocol, ['SCTP', 'TCP', 'UDP'], `${at}.protocol`)]
  })
}

function hostPortErrors(containers: readonly unknown[], field: string): FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap((container, index) =>
    eachObject(objectOf(container)['ports'], `${field}[${index}].ports`, (item, at) => {
      const { hostPort, protocol, hostIP } = item
      if (!hostPort) return []
      const text = `${textOf(protocol)}/${textOf(hostIP ?? '')}/${textOf(hostPort)}`
      if (taken.has(text)) return [duplicateValue(`${at}.hostPort`, text)]
      taken.add(text)
      return []
    }),
  )
}

const RESIZABLE = ['cpu', 'memory']

function resizeErrors(container: JsonObject, field: string, podPolicy: unknown): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(container['resizePolicy'], field, (policy, at) => {
    const { resourceName, restartPolicy } = policy
    const errors = seen.has(resourceName) ? [duplicateValue(at, resourceName)] : []
    seen.add(resourceName)
    addAll(
      errors,
      requiredOneOf(resourceName, RESIZABLE, field),
      requiredOneOf(restartPolicy, ['NotRequired', 'RestartContainer'], field),
    )
    if (podPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
      errors.push(invalidValue(field, restartPolicy ?? '', detail))
    }
    return errors
  })
}

const RESTARTS = ['Always', 'Never', 'OnFailure']
const ACTIONS = ['Restart', 'RestartAllContainers']

function restartErrors(container: JsonObject, field: string): FieldError[] {
  const { restartPolicy } = container
  const rules = listOf(container['restartPolicyRules'])
  const errors: FieldError[] = []
  if (restartPolicy === undefined) {
    if (rules.length === 0) return []
    const detail = 'must specify restartPolicy when restart rules are used'
    errors.push(requiredValue(`${field}.restartPolicy`, detail))
  } else addAll(errors, oneOf(restartPolicy, RESTARTS, `${field}.restartPolicy`))
  if (rules.length > 20) errors.push(tooMany(`${field}.restartPolicyRules`, rules.length, 20))
  addAll(
    errors,
    eachObject(rules, `${field}.restartPolicyRules`, (rule, at) => {
      const { action, exitCodes } = rule
      const wrong = ACTIONS.includes(textOf(action))
        ? []
        : [unsupportedValue(`${at}.action`, action ?? '', ACTIONS)]
      if (!isObject(exitCodes)) return [...wrong, requiredValue(`${at}.exitCodes`, 'must be specified')]
      addAll(wrong, oneOf(exitCodes['operator'] ?? '', ['In', 'NotIn'], `${at}.exitCodes.operator`))
      const { length } = listOf(exitCodes['values'])
      if (length > 255) wrong.push(tooMany(`${at}.exitCodes.values`, length, 255))
      return wrong
    }),
  )
  return errors
}
