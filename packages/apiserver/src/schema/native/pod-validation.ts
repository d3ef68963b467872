import { labelKeyProblems } from '@homeostat/api'
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  type FieldError,
} from '../field-error.ts'
import { copyJson, equalJson, isObject, listOf, objectOf, textOf, type JsonObject } from '../json.ts'
import { labelProblems, subdomainProblems } from '../name-syntax.ts'
import { validateAnnotations, validateLabels } from '../object-meta.ts'
import { objectsIn } from './absent.ts'
import { address, between, eachObject, named, oneOf, optionalName } from './checks.ts'
import { validateContainer, type PodContext } from './container-validation.ts'
import { validateVolume } from './volume-validation.ts'

const LARGEST = 2 ** 31 - 1

/** What is wrong with a Pod's spec, or a template's. */
function validatePodSpec(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  const names = new Set<string>()
  const volumes = listOf(spec['volumes'])
  for (const [index, volume] of volumes.entries()) {
    const at = `${field}.volumes[${index}]`
    errors.push(...validateVolume(objectOf(volume), at))
    const name = textOf(objectOf(volume)['name'] ?? '')
    if (name !== '' && names.has(name)) errors.push(duplicateValue(`${at}.name`, name))
    names.add(name)
  }
  const pod: PodContext = { volumes: names, names: new Set(), hostPorts: new Set() }
  if (listOf(spec['containers']).length === 0) errors.push(requiredValue(`${field}.containers`))
  for (const kind of ['containers', 'initContainers'] as const) {
    const shared = kind === 'containers' ? pod : { ...pod, hostPorts: new Set<string>() }
    errors.push(
      ...eachObject(spec[kind], `${field}.${kind}`, (container, at) =>
        validateContainer(container, at, shared, kind),
      ),
    )
  }
  errors.push(
    ...oneOf(spec['restartPolicy'], ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    ...oneOf(
      spec['dnsPolicy'],
      ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
      `${field}.dnsPolicy`,
    ),
    ...validateLabels(spec['nodeSelector'], `${field}.nodeSelector`),
    ...optionalName(spec['serviceAccountName'], `${field}.serviceAccountName`),
    ...optionalName(spec['nodeName'], `${field}.nodeName`),
    ...between(spec['activeDeadlineSeconds'], 1, LARGEST, `${field}.activeDeadlineSeconds`),
    ...eachObject(spec['tolerations'], `${field}.tolerations`, validateToleration),
    ...eachObject(spec['hostAliases'], `${field}.hostAliases`, validateHostAlias),
    ...validateSecurity(spec['securityContext'], `${field}.securityContext`),
  )
  for (const name of ['hostname', 'subdomain']) {
    if (spec[name]) errors.push(...named(spec[name], `${field}.${name}`, labelProblems))
  }
  if (spec['dnsPolicy'] === 'None' && !isObject(spec['dnsConfig'])) {
    errors.push(requiredValue(`${field}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'))
  }
  return errors
}

/** What is wrong with the template of a workload. Its labels are named without `metadata`, as Kubernetes does. */
export function validatePodTemplate(template: JsonObject, field: string): FieldError[] {
  const { labels, annotations } = objectOf(template['metadata'])
  return [
    ...validateLabels(labels, `${field}.labels`),
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validatePodSpec(objectOf(template['spec']), `${field}.spec`),
  ]
}

/** What is wrong with a Pod. */
export function validatePod(pod: JsonObject): FieldError[] {
  return validatePodSpec(objectOf(pod['spec']), 'spec')
}

function validateToleration(toleration: JsonObject, field: string): FieldError[] {
  const { key = '', operator = '', value, effect = '', tolerationSeconds } = toleration
  const errors: FieldError[] = []
  if (key !== '') {
    for (const problem of labelKeyProblems(String(key)))
      errors.push(invalidValue(`${field}.key`, key, problem))
  } else if (operator !== 'Exists') {
    const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
    errors.push(invalidValue(`${field}.operator`, operator, detail))
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set"
    errors.push(invalidValue(`${field}.effect`, effect, detail))
  }
  if (operator === 'Exists' && value) {
    errors.push(invalidValue(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'"))
  }
  if (operator !== '') errors.push(...oneOf(operator, ['Equal', 'Exists'], `${field}.operator`))
  if (effect !== '') {
    errors.push(...oneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${field}.effect`))
  }
  return errors
}

function validateHostAlias(alias: JsonObject, field: string): FieldError[] {
  return [
    ...address(alias['ip'], `${field}.ip`),
    ...listOf(alias['hostnames']).flatMap((name, index) =>
      named(name, `${field}.hostnames[${index}]`, subdomainProblems),
    ),
  ]
}

function validateSecurity(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  return ['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((name) =>
    between(value[name], 0, LARGEST, `${field}.${name}`),
  )
}

const UPDATABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** What is wrong with a change of a Pod: of its spec hardly anything can change. */
export function validatePodUpdate(pod: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(pod['spec'])
  const before = objectOf(old['spec'])
  const errors: FieldError[] = []
  for (const kind of ['containers', 'initContainers']) {
    if (listOf(spec[kind]).length !== listOf(before[kind]).length) {
      errors.push(forbiddenValue(`spec.${kind}`, 'pod updates may not add or remove containers'))
    }
  }
  if (errors.length > 0) return errors
  errors.push(...deadlineErrors(spec, before), ...tolerationErrors(spec, before))
  if (!equalJson(comparable(spec, before), before)) errors.push(forbiddenValue('spec', UPDATABLE))
  return errors
}

/** The spec with what may change put back. */
function comparable(spec: JsonObject, before: JsonObject): JsonObject {
  const copy = copyJson(spec)
  for (const kind of ['containers', 'initContainers']) {
    const old = objectsIn(before[kind])
    for (const [index, container] of objectsIn(copy[kind]).entries()) {
      const image = old[index]?.['image']
      if (container['image'] !== image && container['image']) container['image'] = image
    }
  }
  for (const field of ['activeDeadlineSeconds', 'tolerations']) {
    if (before[field] === undefined) delete copy[field]
    else copy[field] = before[field]
  }
  const grace = before['terminationGracePeriodSeconds']
  if (typeof grace === 'number' && grace < 0 && copy['terminationGracePeriodSeconds'] === 1) {
    copy['terminationGracePeriodSeconds'] = grace
  }
  return copy
}

function deadlineErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, old] = [spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']]
  if (typeof old !== 'number') return []
  const field = 'spec.activeDeadlineSeconds'
  if (typeof now !== 'number') {
    return [invalidValue(field, now ?? null, 'must not update from a positive integer to nil value')]
  }
  return now > old ? [invalidValue(field, now, `must be less than or equal to previous value`)] : []
}

function tolerationErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const now = objectsIn(spec['tolerations'])
  const kept = objectsIn(before['tolerations']).every((old) =>
    now.some((one) => equalJson({ ...one, tolerationSeconds: 0 }, { ...old, tolerationSeconds: 0 })),
  )
  const detail = 'existing toleration can not be modified except its tolerationSeconds'
  return kept ? [] : [forbiddenValue('spec.tolerations', detail)]
}
