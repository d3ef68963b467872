import {
  domainPrefixedPath,
  eachObject,
  notNegative,
  objectsIn,
  oneOf,
  qualifiedName,
  selectorText,
  selects,
  unchanged,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  copyJson,
  duplicateValue,
  equalJson,
  type FieldError,
  invalidValue,
  invalidWhole,
  isNumber,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  textOf,
  tooLong,
  tooMany,
  unsupportedValue,
  wasSentEmpty,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { validatePodTemplate } from '../pod-spec/validation/pod-validation.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { defaultJob } from './job-defaults.ts'
import { validateIndexes } from './job-indexes.ts'
import { validateJobStatus } from './job-status.ts'
import { jobStrategy } from './job-strategy.ts'
import { jobPrinter } from './table.ts'

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
]
const MANY = 100_000
const FEW = 10_000

/** Jobs. */
export const job: NativeKind = {
  group: 'batch',
  kind: 'Job',
  ...jobStrategy,
  warnings: templateWarnings('spec.template', true),
  table: jobPrinter,
  default: defaultJob,
  dropDisabled: dropFromTemplate,
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  validate: (object) => [
    ...generatedErrors(object),
    ...validateSpec(objectOf(object['spec']), 'spec'),
    ...hostnameErrors(object),
  ],
  validateUpdate: validateJobUpdate,
  validateStatus: validateJobStatus,
}

/** Validates that the template has the labels which the generated selector matches. */
function generatedErrors(object: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  if (spec['manualSelector'] === true || !isObject(spec['selector'])) return []
  const { uid, name = '' } = objectOf(object['metadata'])
  const labels = objectOf(objectOf(objectOf(spec['template'])['metadata'])['labels'])
  const expected: JsonObject = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  }
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] === value) continue
    const field = `spec.template.metadata.labels[${key}]`
    const detail = `must be '${textOf(value)}'`
    errors.push(key in labels ? invalidValue(field, labels, detail) : requiredValue(field, detail))
  }
  if (validateLabelSelector(spec['selector'], '').length === 0 && !selects(spec['selector'], expected)) {
    const detail = '`selector` not auto-generated'
    errors.push(invalidValue('spec.selector', selectorText(spec['selector']), detail))
  }
  return errors
}

function hostnameErrors(object: JsonObject): FieldError[] {
  const { completionMode, completions } = objectOf(object['spec'])
  if (completionMode !== 'Indexed' || !isNumber(completions) || completions <= 0) return []
  const name = textOf(objectOf(object['metadata'])['name'] ?? '')
  const longest = `${name}-${completions - 1}`
  if (labelProblems(longest).length === 0) return []
  const detail = `will not able to create pod with invalid DNS label: ${longest}`
  return [invalidValue('metadata.name', name, detail)]
}

function validateSpec(spec: JsonObject, field: string): FieldError[] {
  const { selector } = spec
  const errors = validateJobSpec(spec, field)
  if (isObject(selector)) addAll(errors, validateLabelSelector(selector, `${field}.selector`))
  else errors.push(requiredValue(`${field}.selector`))
  const { labels } = objectOf(objectOf(spec['template'])['metadata'])
  if (validateLabelSelector(selector, '').length === 0 && !selects(selector, labels)) {
    const detail = '`selector` does not match template `labels`'
    errors.push(invalidValue(`${field}.template.metadata.labels`, labels ?? null, detail))
  }
  return errors
}

/** Validates the spec of a Job, except for its selector. */
export function validateJobSpec(spec: JsonObject, field: string): FieldError[] {
  const template = objectOf(spec['template'])
  const { restartPolicy } = objectOf(template['spec'])
  const errors = [
    ...COUNTS.flatMap((name) => notNegative(spec[name], `${field}.${name}`)),
    ...indexedErrors(spec, field),
    ...failurePolicyErrors(spec, `${field}.podFailurePolicy`),
    ...successPolicyErrors(spec, `${field}.successPolicy`),
  ]
  const policies = isObject(spec['podFailurePolicy']) ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
  addAll(errors, oneOf(spec['podReplacementPolicy'], policies, `${field}.podReplacementPolicy`))
  addAll(errors, validatePodTemplate(template, `${field}.template`))
  const at = `${field}.template.spec.restartPolicy`
  if (restartPolicy === undefined || restartPolicy === '' || restartPolicy === 'Always') {
    errors.push(requiredValue(at, 'valid values: "OnFailure", "Never"'))
  } else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    errors.push(unsupportedValue(at, restartPolicy, ['OnFailure', 'Never']))
  } else if (isObject(spec['podFailurePolicy']) && restartPolicy !== 'Never') {
    const detail = 'only "Never" is supported when podFailurePolicy is specified'
    errors.push(invalidValue(at, restartPolicy, detail))
  }
  return errors
}

function indexedErrors(spec: JsonObject, field: string): FieldError[] {
  const { completionMode, completions, parallelism, maxFailedIndexes, backoffLimitPerIndex, managedBy } = spec
  const failed = isNumber(maxFailedIndexes) ? maxFailedIndexes : undefined
  const errors = notNegative(failed, `${field}.maxFailedIndexes`)
  if (failed !== undefined && backoffLimitPerIndex === undefined) {
    errors.push(requiredValue(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  }
  if (managedBy !== undefined) {
    addAll(errors, domainPrefixedPath(managedBy, `${field}.managedBy`))
    if (textOf(managedBy).length > 63) errors.push(tooLong(`${field}.managedBy`, 63))
  }
  addAll(errors, oneOf(completionMode, ['NonIndexed', 'Indexed'], `${field}.completionMode`))
  const atMost = (name: string, value: unknown, most: number, when = ''): void => {
    if (!isNumber(value) || value <= most) return
    errors.push(invalidValue(`${field}.${name}`, value, `must be less than or equal to ${most}${when}`))
  }
  if (completionMode === 'Indexed') {
    if (!isNumber(completions)) {
      errors.push(requiredValue(`${field}.completions`, 'when completion mode is Indexed'))
    }
    atMost('parallelism', parallelism, MANY, ' when completion mode is Indexed')
    if (failed !== undefined && isNumber(completions) && failed > completions) {
      errors.push(
        invalidValue(`${field}.maxFailedIndexes`, failed, 'must be less than or equal to completions'),
      )
    }
    atMost('maxFailedIndexes', failed, MANY)
    if (isNumber(completions) && completions > MANY && backoffLimitPerIndex !== undefined) {
      if (failed === undefined) {
        const detail = `must be specified when completions is above ${MANY}`
        errors.push(requiredValue(`${field}.maxFailedIndexes`, detail))
      }
      const when = ` when completions are above ${MANY} and used with backoff limit per index`
      atMost('parallelism', parallelism, FEW, when)
      atMost('maxFailedIndexes', failed, FEW, when)
    }
  } else if (completionMode === undefined || completionMode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (spec[name] === undefined) continue
      errors.push(invalidValue(`${field}.${name}`, spec[name], 'requires indexed completion mode'))
    }
  }
  return errors
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const STATES = ['False', 'True', 'Unknown']

function listed(words: readonly string[]): string {
  return `valid values: [${words.map((word) => JSON.stringify(word)).join(' ')}]`
}

function failurePolicyErrors(spec: JsonObject, field: string): FieldError[] {
  const { podFailurePolicy } = spec
  if (!isObject(podFailurePolicy)) return []
  const rules = listOf(podFailurePolicy['rules'])
  const pod = objectOf(objectOf(spec['template'])['spec'])
  const names = new Set(
    [...objectsIn(pod['containers']), ...objectsIn(pod['initContainers'])].map(({ name }) => name),
  )
  const errors = rules.length > 20 ? [tooMany(`${field}.rules`, rules.length, 20)] : []
  return [
    ...errors,
    ...eachObject(rules, `${field}.rules`, (rule, at) => {
      const { action, onExitCodes } = rule
      const conditions = listOf(rule['onPodConditions'])
      const wrong: FieldError[] = []
      if (!action) wrong.push(requiredValue(`${at}.action`, listed(ACTIONS)))
      else if (action === 'FailIndex') {
        if (spec['backoffLimitPerIndex'] === undefined) {
          const detail = 'requires the backoffLimitPerIndex to be set'
          wrong.push(invalidValue(`${at}.action`, action, detail))
        }
      } else addAll(wrong, oneOf(action, ACTIONS, `${at}.action`))
      if (isObject(onExitCodes)) addAll(wrong, exitCodeErrors(onExitCodes, `${at}.onExitCodes`, names))
      addAll(wrong, conditionErrors(conditions, `${at}.onPodConditions`))
      if (isObject(onExitCodes) && conditions.length > 0) {
        wrong.push(invalidWhole(at, 'specifying both OnExitCodes and OnPodConditions is not supported'))
      }
      if (!isObject(onExitCodes) && conditions.length === 0) {
        wrong.push(invalidWhole(at, 'specifying one of OnExitCodes and OnPodConditions is required'))
      }
      return wrong
    }),
  ]
}

function conditionErrors(conditions: readonly unknown[], field: string): FieldError[] {
  const errors = conditions.length > 20 ? [tooMany(field, conditions.length, 20)] : []
  return [
    ...errors,
    ...eachObject(conditions, field, ({ type, status }, at) => [
      ...qualifiedName(type, `${at}.type`),
      ...(status ? oneOf(status, STATES, `${at}.status`) : [requiredValue(`${at}.status`, listed(STATES))]),
    ]),
  ]
}

function exitCodeErrors(codes: JsonObject, field: string, names: ReadonlySet<unknown>): FieldError[] {
  const { operator, containerName } = codes
  const values = listOf(codes['values'])
  const errors = operator
    ? oneOf(operator, ['In', 'NotIn'], `${field}.operator`)
    : [requiredValue(`${field}.operator`, listed(['In', 'NotIn']))]
  if (containerName !== undefined && !names.has(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template'
    errors.push(invalidValue(`${field}.containerName`, containerName, detail))
  }
  if (values.length === 0) {
    const shown = wasSentEmpty(codes, 'values') ? [] : null
    errors.push(invalidValue(`${field}.values`, shown, 'at least one value is required'))
  } else if (values.length > 255) errors.push(tooMany(`${field}.values`, values.length, 255))
  const seen = new Set<unknown>()
  for (const [index, value] of values.entries()) {
    const at = `${field}.values[${index}]`
    if (operator === 'In' && value === 0) {
      errors.push(invalidValue(at, value, 'must not be 0 for the In operator'))
    }
    if (seen.has(value)) errors.push(duplicateValue(at, value))
    seen.add(value)
  }
  const ordered = values.every((value, index) => index === 0 || Number(values[index - 1]) <= Number(value))
  return ordered ? errors : [...errors, invalidValue(`${field}.values`, values, 'must be ordered')]
}

function successPolicyErrors(spec: JsonObject, field: string): FieldError[] {
  const { successPolicy, completionMode } = spec
  if (!isObject(successPolicy)) return []
  if (completionMode !== 'Indexed') {
    const rules = listOf(successPolicy['rules']).map((rule) => ({
      SucceededIndexes: objectOf(rule)['succeededIndexes'] ?? null,
      SucceededCount: objectOf(rule)['succeededCount'] ?? null,
    }))
    return [invalidValue(field, { Rules: rules }, 'requires indexed completion mode')]
  }
  const rules = listOf(successPolicy['rules'])
  const at = `${field}.rules`
  const errors: FieldError[] = []
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified'
    errors.push(requiredValue(at, detail))
  }
  if (rules.length > 20) errors.push(tooMany(at, rules.length, 20))
  const completions = Number(spec['completions'] ?? 0)
  return [...errors, ...eachObject(rules, at, (rule, where) => successErrors(rule, where, completions))]
}

function successErrors(rule: JsonObject, field: string, completions: number): FieldError[] {
  const { succeededCount, succeededIndexes } = rule
  const errors: FieldError[] = []
  if (succeededCount === undefined && succeededIndexes === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified'
    errors.push(requiredValue(field, detail))
  }
  let total = 0
  if (succeededIndexes !== undefined) {
    const at = `${field}.succeededIndexes`
    const text = textOf(succeededIndexes)
    if (text.length > 64 * 1024) errors.push(tooLong(at, 64 * 1024))
    const indexes = validateIndexes(text, completions)
    if (isNumber(indexes)) total = indexes
    else errors.push(invalidValue(at, text, `error parsing succeededIndexes: ${indexes}`))
  }
  if (!isNumber(succeededCount)) return errors
  const at = `${field}.succeededCount`
  addAll(errors, notNegative(succeededCount, at))
  if (succeededCount > completions) {
    const detail = `must be less than or equal to ${completions} (the number of specified completions)`
    errors.push(invalidValue(at, succeededCount, detail))
  }
  if (succeededIndexes !== undefined && succeededCount > total) {
    const detail = `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`
    errors.push(invalidValue(at, succeededCount, detail))
  }
  return errors
}

/** Validates the immutable fields of a Job. */
function validateJobUpdate(object: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const before = objectOf(old['spec'])
  const keep = (name: string, shown?: unknown): FieldError[] =>
    unchanged(spec[name], before[name], `spec.${name}`, shown)
  return [
    ...validateSpec(spec, 'spec'),
    ...completionsErrors(spec, before),
    ...keep('selector', selectorText(spec['selector'])),
    ...templateErrors(spec, before, objectOf(old['status'])),
    ...keep('completionMode'),
    ...keep('podFailurePolicy', shownPolicy(spec['podFailurePolicy'])),
    ...keep('backoffLimitPerIndex'),
    ...keep('managedBy'),
    ...keep('successPolicy', shownPolicy(spec['successPolicy'])),
  ]
}

function shownPolicy(policy: unknown): unknown {
  return isObject(policy) ? { Rules: policy['rules'] ?? null } : null
}

function completionsErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const { completions, parallelism } = spec
  if (spec['completionMode'] !== 'Indexed') {
    return unchanged(completions, before['completions'], 'spec.completions')
  }
  if (equalJson(completions, before['completions']) || !isNumber(completions)) return []
  if (completions === parallelism) return []
  const detail = 'can only be modified in tandem with spec.parallelism'
  return [invalidValue('spec.completions', completions, detail)]
}

/** In a suspended Job without active Pods, the scheduling and the resources of the template may change. */
function templateErrors(spec: JsonObject, before: JsonObject, status: JsonObject): FieldError[] {
  const template = objectOf(spec['template'])
  const old = copyJson(objectOf(before['template']))
  const suspended = before['suspend'] === true
  const waiting = objectsIn(status['conditions']).some(
    ({ type, status: state }) => type === 'Suspended' && state === 'True',
  )
  const editable = suspended && (status['startTime'] === undefined || waiting) && !status['active']
  if (editable) loosen(old, template)
  if (!suspended || !editable) {
    return equalJson(template, old)
      ? []
      : [invalidValue('spec.template', { ObjectMeta: template['metadata'] }, 'field is immutable')]
  }
  const pod = objectOf(template['spec'])
  const oldPod = objectOf(old['spec'])
  for (const kind of ['containers', 'initContainers']) {
    const now = objectsIn(pod[kind])
    for (const [index, container] of objectsIn(oldPod[kind]).entries()) {
      if (container['name'] === now[index]?.['name']) container['resources'] = now[index]?.['resources']
    }
  }
  return equalJson(pod, oldPod)
    ? []
    : [invalidValue('spec.template.spec', { Volumes: pod['volumes'] ?? null }, 'field is immutable')]
}

/** The old template with the mutable fields of the new one. */
function loosen(old: JsonObject, template: JsonObject): void {
  const pod = objectOf(template['spec'])
  const oldPod = objectOf(old['spec'])
  const take = (to: JsonObject, from: JsonObject, name: string): void => {
    if (from[name] === undefined) delete to[name]
    else to[name] = from[name]
  }
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates']) take(oldPod, pod, name)
  for (const name of ['annotations', 'labels'])
    take(objectOf(old['metadata']), objectOf(template['metadata']), name)
  const { nodeAffinity } = objectOf(pod['affinity'])
  const { nodeAffinity: _, ...before } = objectOf(oldPod['affinity'])
  if (!isObject(pod['affinity']) && Object.keys(before).length === 0) delete oldPod['affinity']
  else if (isObject(pod['affinity']) || isObject(oldPod['affinity'])) {
    oldPod['affinity'] = { ...before, ...(nodeAffinity === undefined ? {} : { nodeAffinity }) }
  }
}
