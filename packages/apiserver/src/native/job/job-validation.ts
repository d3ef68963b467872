import {
  domainPrefixedPath,
  notNegative,
  oneOf,
  selectorText,
  selects,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  byteLength,
  type FieldError,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  labelProblems,
  objectOf,
  requiredValue,
  textOf,
  tooLong,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { validatePodTemplate } from '../pod-spec/validation/pod-validation.ts'
import { selectorMismatch } from '../workload/workload-validation.ts'
import { failurePolicyErrors, successPolicyErrors } from './job-policies.ts'

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

/** Validates a Job. */
export function validateJob(object: JsonObject, old?: JsonObject): FieldError[] {
  return [
    ...generatedErrors(object, !old || hasPrefixedLabels(old)),
    ...validateSpec(objectOf(object['spec']), 'spec'),
    ...hostnameErrors(object),
  ]
}

const PREFIX = 'batch.kubernetes.io/'

/** Whether the template of a stored Job has both labels that early versions of Kubernetes did not set. */
function hasPrefixedLabels(job: JsonObject): boolean {
  const labels = labelsOfTemplate(objectOf(job['spec']))
  return [`${PREFIX}controller-uid`, `${PREFIX}job-name`].every((key) => Object.hasOwn(labels, key))
}

function labelsOfTemplate(spec: JsonObject): JsonObject {
  return objectOf(objectOf(objectOf(spec['template'])['metadata'])['labels'])
}

/** Validates that the template has the labels which the generated selector matches. */
function generatedErrors(object: JsonObject, prefixed: boolean): FieldError[] {
  const spec = objectOf(object['spec'])
  if (spec['manualSelector'] === true || !isObject(spec['selector'])) return []
  const { uid, name = '' } = objectOf(object['metadata'])
  const labels = labelsOfTemplate(spec)
  const expected: JsonObject = {
    'controller-uid': uid,
    'job-name': name,
    ...(prefixed && { [`${PREFIX}controller-uid`]: uid, [`${PREFIX}job-name`]: name }),
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

/** Validates the spec of a Job, with its selector. */
export function validateSpec(spec: JsonObject, field: string): FieldError[] {
  const { selector } = spec
  const errors = validateJobSpec(spec, field)
  if (isObject(selector)) addAll(errors, validateLabelSelector(selector, `${field}.selector`))
  else errors.push(requiredValue(`${field}.selector`))
  if (validateLabelSelector(selector, '').length === 0) {
    addAll(errors, selectorMismatch(selector, spec['template'], `${field}.template`))
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
    if (byteLength(textOf(managedBy)) > 63) errors.push(tooLong(`${field}.managedBy`, 63))
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
