import { invalidValue, requiredValue, type FieldError } from '../field-error.ts'
import { equalJson, isObject, objectOf, type JsonObject } from '../json.ts'
import { notNegative, oneOf } from './checks.ts'
import { selectorText, selects, validateLabelSelector } from './label-selector.ts'
import { validatePodTemplate } from './pod-validation.ts'

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
]

/** What is wrong with a Job. */
export function validateJob(job: JsonObject): FieldError[] {
  const spec = objectOf(job['spec'])
  const template = objectOf(spec['template'])
  const { selector, completionMode } = spec
  const errors = COUNTS.flatMap((name) => notNegative(spec[name], `spec.${name}`))
  if (isObject(selector)) errors.push(...validateLabelSelector(selector, 'spec.selector'))
  else errors.push(requiredValue('spec.selector'))
  const { labels } = objectOf(template['metadata'])
  if (validateLabelSelector(selector, '').length === 0 && !selects(selector, labels)) {
    const detail = '`selector` does not match template `labels`'
    errors.push(invalidValue('spec.template.metadata.labels', labels ?? null, detail))
  }
  errors.push(...validatePodTemplate(template, 'spec.template'))
  const { restartPolicy } = objectOf(template['spec'])
  if (restartPolicy === 'Always') {
    errors.push(requiredValue('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"'))
  }
  errors.push(
    ...oneOf(completionMode, ['NonIndexed', 'Indexed'], 'spec.completionMode'),
    ...oneOf(spec['podReplacementPolicy'], ['Failed', 'TerminatingOrFailed'], 'spec.podReplacementPolicy'),
  )
  if (completionMode === 'Indexed' && typeof spec['completions'] !== 'number') {
    errors.push(requiredValue('spec.completions', 'when completion mode is Indexed'))
  }
  return errors
}

/** What of a Job cannot change once it is there. */
export function validateJobUpdate(job: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(job['spec'])
  const before = objectOf(old['spec'])
  const errors: FieldError[] = []
  const keep = (name: string, shown: unknown): void => {
    if (!equalJson(spec[name], before[name]))
      errors.push(invalidValue(`spec.${name}`, shown, 'field is immutable'))
  }
  keep('completions', spec['completions'] ?? null)
  keep('selector', selectorText(spec['selector']))
  // What a suspended Job that never ran may still change is left to those who resume it.
  const editable = before['suspend'] === true && objectOf(old['status'])['startTime'] === undefined
  if (!editable) keep('template', spec['template'] ?? null)
  keep('completionMode', spec['completionMode'] ?? null)
  keep('podFailurePolicy', spec['podFailurePolicy'] ?? null)
  keep('backoffLimitPerIndex', spec['backoffLimitPerIndex'] ?? null)
  keep('managedBy', spec['managedBy'] ?? null)
  keep('successPolicy', spec['successPolicy'] ?? null)
  return errors
}
