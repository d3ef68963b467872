import { objectsIn, selectorText, unchanged } from '../../checks/index.ts'
import {
  copyJson,
  equalJson,
  type FieldError,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  objectOf,
} from '../../schema/index.ts'
import { validateSpec } from './job-validation.ts'

/**
 * Validates the immutable fields of a Job. `isWiderChange` says whether the resources in the template of a suspended Job may change,
 * and other parts of it even where the Job has started before.
 */
export function validateJobUpdate(object: JsonObject, old: JsonObject, isWiderChange = true): FieldError[] {
  const spec = objectOf(object['spec'])
  const before = objectOf(old['spec'])
  const keep = (name: string, shown?: unknown): FieldError[] =>
    unchanged(spec[name], before[name], `spec.${name}`, shown)
  return [
    ...validateSpec(spec, 'spec'),
    ...completionsErrors(spec, before),
    ...keep('selector', selectorText(spec['selector'])),
    ...templateErrors(spec, before, objectOf(old['status']), isWiderChange),
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
function templateErrors(
  spec: JsonObject,
  before: JsonObject,
  status: JsonObject,
  isWiderChange: boolean,
): FieldError[] {
  const template = objectOf(spec['template'])
  const old = copyJson(objectOf(before['template']))
  const suspended = before['suspend'] === true
  const waiting = objectsIn(status['conditions']).some(
    ({ type, status: state }) => type === 'Suspended' && state === 'True',
  )
  const editable = suspended && (status['startTime'] === undefined || waiting) && !status['active']
  if (isWiderChange ? editable : suspended && status['startTime'] === undefined) loosen(old, template)
  if (!suspended || !editable || !isWiderChange) {
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
