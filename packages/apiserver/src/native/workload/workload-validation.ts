import {
  isEmptySelector,
  selectorText,
  selects,
  unchanged,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  RawJson,
  requiredValue,
  shownAsSent,
  unsupportedValue,
} from '../../schema/index.ts'
import { validatePodTemplate } from '../pod-spec/validation/pod-validation.ts'

/** Validates that the selector does not change: a new one would leave Pods without an owner. */
export function validateSelectorUpdate(workload: JsonObject, old: JsonObject): FieldError[] {
  const { selector } = objectOf(workload['spec'])
  return unchanged(selector, objectOf(old['spec'])['selector'], 'spec.selector', selectorText(selector))
}

/** Validates the selector, and the template of Pods, which the selector must match. */
export function selectorAndTemplateErrors(spec: JsonObject): FieldError[] {
  const { selector } = spec
  const template = objectOf(spec['template'])
  if (!isObject(selector)) {
    return [requiredValue('spec.selector'), ...templateErrors(template, undefined)]
  }
  const errors = validateLabelSelector(selector, 'spec.selector')
  if (isEmptySelector(selector)) {
    errors.push(invalidValue('spec.selector', {}, 'empty selector is invalid for deployment'))
  }
  if (validateLabelSelector(selector, '').length > 0) {
    return [...errors, invalidValue('spec.selector', selectorText(selector), 'invalid label selector')]
  }
  return [...errors, ...templateErrors(template, selector)]
}

function templateErrors(template: JsonObject, selector: JsonObject | undefined): FieldError[] {
  return [...selectorMismatch(selector, template), ...validateRunningTemplate(template, 'ReplicaSet')]
}

/** Validates that a selector matches the labels of a template of Pods. An absent selector matches none, an empty one all. */
export function selectorMismatch(
  selector: unknown,
  template: unknown,
  field = 'spec.template',
): FieldError[] {
  const metadata = objectOf(objectOf(template)['metadata'])
  if (selects(selector, metadata['labels'])) return []
  const detail = '`selector` does not match template `labels`'
  return [invalidValue(`${field}.metadata.labels`, shownAsSent(metadata, 'labels', {}), detail)]
}

/** Validates a template of Pods that must always restart. */
export function validateRunningTemplate(template: JsonObject, owner: string): FieldError[] {
  const spec = objectOf(template['spec'])
  const errors = validatePodTemplate(template, 'spec.template')
  if (spec['restartPolicy'] !== 'Always') {
    errors.push(unsupportedValue('spec.template.spec.restartPolicy', spec['restartPolicy'] ?? '', ['Always']))
  }
  if (spec['activeDeadlineSeconds'] !== undefined) {
    const detail = `activeDeadlineSeconds in ${owner} is not Supported`
    errors.push(forbiddenValue('spec.template.spec.activeDeadlineSeconds', detail))
  }
  return errors
}

/** Whether two specs differ in more than the fields named. */
export function differsBeyond(spec: JsonObject, old: JsonObject, fields: readonly string[]): boolean {
  const rest = (one: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !fields.includes(name)))
  return !equalJson(rest(spec), rest(old))
}

/** A strategy of an unknown type, as Kubernetes' messages show it: its rolling update has no defaults. */
export function shownStrategy({ type, rollingUpdate }: JsonObject): RawJson {
  const update = isObject(rollingUpdate)
    ? RawJson.object(
        ['MaxUnavailable', rollingUpdate['maxUnavailable'] ?? 0],
        ['MaxSurge', rollingUpdate['maxSurge'] ?? 0],
      )
    : null
  return RawJson.object(['Type', type], ['RollingUpdate', update])
}
