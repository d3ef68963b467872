import { address, eachObject, named, objectsIn, qualifiedName, unchanged } from '../../checks/index.ts'
import {
  copyJson,
  equalJson,
  familyOf,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { paddedImage } from '../pod-spec/validation/container-validation.ts'
import { validatePodAnnotationsUpdate } from '../pod-spec/validation/pod-annotations.ts'
import { claimStatusErrors } from './claim-statuses.ts'
import { containerStatusErrors } from './container-statuses.ts'
import { validateTolerations } from '../pod-spec/validation/scheduling-validation.ts'

const UPDATABLE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** Validates an update of a Pod. Few fields of its spec can change. */
export function validatePodUpdate(pod: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(pod['spec'])
  const before = objectOf(old['spec'])
  const errors = annotationErrors(pod, old)
  for (const kind of ['containers', 'initContainers']) {
    if (listOf(spec[kind]).length !== listOf(before[kind]).length) {
      return [...errors, forbiddenValue(`spec.${kind}`, 'pod updates may not add or remove containers')]
    }
    addAll(
      errors,
      eachObject(spec[kind], `spec.${kind}`, (container, at) => [
        ...(container['image'] ? [] : [requiredValue(`${at}.image`)]),
        ...paddedImage(container, at),
      ]),
    )
  }
  const deadline = deadlineErrors(spec, before)
  addAll(errors, deadline.errors)
  if (deadline.stop) return errors
  addAll(errors, tolerationErrors(spec, before), gateErrors(spec, before))
  const rest = comparable(spec, before)
  if (listOf(before['schedulingGates']).length > 0) addAll(errors, gatedErrors(rest, before))
  if (!equalJson(rest, before)) errors.push(forbiddenValue('spec', UPDATABLE))
  return errors
}

function annotationErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  return validatePodAnnotationsUpdate(
    objectOf(pod['metadata'])['annotations'],
    objectOf(old['metadata'])['annotations'],
    objectOf(pod['spec']),
    'metadata.annotations',
  )
}

/** The new spec with the old values of its mutable fields. */
function comparable(spec: JsonObject, before: JsonObject): JsonObject {
  const copy = copyJson(spec)
  for (const kind of ['containers', 'initContainers']) {
    const old = objectsIn(before[kind])
    for (const [index, container] of objectsIn(copy[kind]).entries()) {
      container['image'] = old[index]?.['image']
    }
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) {
    if (before[field] === undefined) delete copy[field]
    else copy[field] = before[field]
  }
  const grace = before['terminationGracePeriodSeconds']
  if (isNumber(grace) && grace < 0 && copy['terminationGracePeriodSeconds'] === 1) {
    copy['terminationGracePeriodSeconds'] = grace
  }
  return copy
}

function deadlineErrors(spec: JsonObject, before: JsonObject): { errors: FieldError[]; stop: boolean } {
  const [now, old] = [spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']]
  const field = 'spec.activeDeadlineSeconds'
  if (!isNumber(now)) {
    if (!isNumber(old)) return { errors: [], stop: false }
    const detail = 'must not update from a positive integer to nil value'
    return { errors: [invalidValue(field, null, detail)], stop: false }
  }
  if (now < 0 || now > 2 ** 31 - 1) {
    const detail = 'must be between 0 and 2147483647, inclusive'
    return { errors: [invalidValue(field, now, detail)], stop: true }
  }
  if (!isNumber(old) || old >= now) return { errors: [], stop: false }
  return { errors: [invalidValue(field, now, 'must be less than or equal to previous value')], stop: true }
}

function tolerationErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const now = objectsIn(spec['tolerations'])
  const kept = objectsIn(before['tolerations']).every((old) =>
    now.some((one) => equalJson({ ...one, tolerationSeconds: 0 }, { ...old, tolerationSeconds: 0 })),
  )
  if (kept) return validateTolerations(now, 'spec.tolerations')
  const detail = 'existing toleration can not be modified except its tolerationSeconds'
  return [forbiddenValue('spec.tolerations', detail)]
}

function gateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set(objectsIn(before['schedulingGates']).map(({ name }) => textOf(name)))
  const gates = objectsIn(spec['schedulingGates']).map(({ name }) => textOf(name))
  return gates.flatMap((name, index) => {
    // A new name that occurs several times is reported once, at its last place.
    if (known.has(name) || gates.lastIndexOf(name) !== index) return []
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`
    return [forbiddenValue(`spec.schedulingGates[${index}].name`, detail)]
  })
}

/** Before a Pod is scheduled, its node selector and affinity may be narrowed. Restores the fields that were checked. */
function gatedErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const [now, old] = [objectOf(spec['nodeSelector']), objectOf(before['nodeSelector'])]
  if (Object.entries(old).some(([key, value]) => now[key] !== value)) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)'
    errors.push(invalidValue('spec.nodeSelector', now, detail))
  }
  if (before['nodeSelector'] === undefined) delete spec['nodeSelector']
  else spec['nodeSelector'] = before['nodeSelector']
  const oldAffinity = objectOf(before['affinity'])['nodeAffinity']
  const affinity = objectOf(spec['affinity'])
  addAll(errors, nodeAffinityErrors(affinity['nodeAffinity'], oldAffinity))
  if (oldAffinity !== undefined) spec['affinity'] = { ...affinity, nodeAffinity: oldAffinity }
  else if (isObject(spec['affinity'])) {
    const { nodeAffinity: _, ...rest } = affinity
    if (before['affinity'] === undefined && Object.keys(rest).length === 0) delete spec['affinity']
    else spec['affinity'] = rest
  }
  return errors
}

function nodeAffinityErrors(now: unknown, old: unknown): FieldError[] {
  const termsOf = (affinity: unknown): readonly unknown[] =>
    listOf(
      objectOf(objectOf(affinity)['requiredDuringSchedulingIgnoredDuringExecution'])['nodeSelectorTerms'],
    )
  const [terms, before] = [termsOf(now), termsOf(old)]
  const field = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
  if (before.length > 0 && before.length !== terms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'
    return [invalidValue(field, terms, detail)]
  }
  return before.flatMap((term, index) => {
    if (onlyAdds(objectOf(terms[index]), objectOf(term))) return []
    const detail = 'only additions are allowed (no mutations or deletions)'
    return [invalidValue(`${field}[${index}]`, terms[index], detail)]
  })
}

function onlyAdds(term: JsonObject, old: JsonObject): boolean {
  const parts = ['matchExpressions', 'matchFields']
  const empty = (one: JsonObject): boolean => parts.every((part) => listOf(one[part]).length === 0)
  if (empty(old)) return empty(term)
  return parts.every((part) => {
    const before = listOf(old[part])
    return equalJson(listOf(term[part]).slice(0, before.length), before)
  })
}

const OWN_CONDITIONS = new Set<unknown>(['PodScheduled', 'Ready', 'Initialized'])

/** Validates a Pod's new status. */
export function validatePodStatus(pod: JsonObject, old: JsonObject): FieldError[] {
  const status = objectOf(pod['status'])
  const before = objectOf(old['status'])
  const errors = [
    ...annotationErrors(pod, old),
    ...eachObject(status['conditions'], 'status.conditions', ({ type, observedGeneration }, at) => [
      ...generationErrors(observedGeneration, `${at}.observedGeneration`),
      ...(OWN_CONDITIONS.has(type) ? [] : qualifiedName(type, `${at}.Type`)),
    ]),
  ]
  const nominated = textOf(status['nominatedNodeName'] ?? '')
  if (nominated !== '' && nominated !== before['nominatedNodeName']) {
    addAll(errors, named(nominated, 'status.nominatedNodeName', subdomainProblems))
    if (objectOf(old['spec'])['nodeName']) {
      const detail = 'may not be set on pods that are already bound to a node'
      errors.push(forbiddenValue('status.nominatedNodeName', detail))
    }
  }
  return [
    ...errors,
    ...generationErrors(status['observedGeneration'], 'status.observedGeneration'),
    ...unchanged(status['qosClass'], before['qosClass'], 'status.qosClass'),
    ...transitionErrors(status, before, objectOf(old['spec'])),
    ...claimStatusErrors(status, objectOf(pod['spec'])),
    ...addressErrors(status, before, 'podIPs'),
    ...hostAddressErrors(status, before),
    ...containerStatusErrors(status, objectOf(pod['spec'])),
  ]
}

function generationErrors(value: unknown, field: string): FieldError[] {
  if (!isNumber(value) || value >= 0) return []
  return [invalidValue(field, value, 'must be a non-negative integer')]
}

/** Validates that a terminated container which is not restarted stays terminated. */
function transitionErrors(status: JsonObject, before: JsonObject, spec: JsonObject): FieldError[] {
  return [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
    ['ephemeralContainerStatuses', ''],
  ].flatMap(([field = '', kind = '']) =>
    eachObject(before[field], `status.${field}`, (old, at) => {
      const { terminated } = objectOf(old['state'])
      if (!isObject(terminated)) return []
      const now = objectsIn(status[field]).find(({ name }) => name === old['name'])
      if (!now || isObject(objectOf(now['state'])['terminated'])) return []
      const container = objectsIn(spec[kind]).find(({ name }) => name === old['name'])
      if (container && mayRestart(container, spec, Number(terminated['exitCode'] ?? 0))) return []
      return [forbiddenValue(`${at}.state`, 'may not be transitioned to non-terminated state')]
    }),
  )
}

function mayRestart(container: JsonObject, spec: JsonObject, code: number): boolean {
  for (const rule of objectsIn(container['restartPolicyRules'])) {
    const { operator, values } = objectOf(rule['exitCodes'])
    if (listOf(values).includes(code) === (operator === 'In')) return true
  }
  const policy = container['restartPolicy'] ?? spec['restartPolicy']
  return policy === 'Always' || (policy === 'OnFailure' && code !== 0)
}

function addressErrors(status: JsonObject, before: JsonObject, name: 'podIPs' | 'hostIPs'): FieldError[] {
  const known = objectsIn(before[name]).map(({ ip }) => ip)
  const all = listOf(status[name]).map((one) => textOf(objectOf(one)['ip'] ?? ''))
  const errors = all.flatMap((ip, index) => address(ip, `status.${name}[${index}]`, known))
  if (all.length < 2) return errors
  const families = new Set(all.map(familyOf))
  if (families.has(undefined)) {
    const wrong = all.findIndex((ip) => familyOf(ip) === undefined)
    const message = `Internal error: failed to check for dual stack with error:invalid IP[${wrong}]: ${all[wrong]}`
    errors.push({ field: `status.${name}`, reason: 'InternalError', message })
  } else if (families.size === 2 && all.length === 2) return errors
  const shown = all.map((ip) => ({ IP: ip }))
  return [
    ...errors,
    invalidValue(`status.${name}`, shown, 'may specify no more than one IP for each IP family'),
  ]
}

function hostAddressErrors(status: JsonObject, before: JsonObject): FieldError[] {
  const [first] = listOf(status['hostIPs'])
  if (first === undefined) return []
  const ip = textOf(objectOf(first)['ip'] ?? '')
  const errors =
    ip === textOf(status['hostIP'] ?? '')
      ? []
      : [invalidValue('status.hostIPs[0].ip', ip, 'must be equal to `hostIP`')]
  return [...errors, ...addressErrors(status, before, 'hostIPs')]
}
