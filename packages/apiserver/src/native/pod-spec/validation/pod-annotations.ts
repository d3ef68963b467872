import { descendingPath } from '../../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  textOf,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'
import { containersOf } from './pod-security-context.ts'

const MIRROR = 'kubernetes.io/config.mirror'
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/'

/** Validates the annotations of a Pod that Kubernetes uses. */
export function validatePodAnnotations(annotations: unknown, spec: JsonObject, field: string): FieldError[] {
  const all = objectOf(annotations)
  const errors: FieldError[] = []
  if (all[MIRROR] !== undefined && !spec['nodeName']) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set'
    errors.push(invalidValue(`${field}[${MIRROR}]`, all[MIRROR], detail))
  }
  const cost = all[DELETION_COST]
  if (cost !== undefined && !isInt32(textOf(cost))) {
    errors.push(invalidValue(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer'))
  }
  if (all[SECCOMP_POD] !== undefined)
    addAll(errors, profileErrors(all[SECCOMP_POD], `${field}.${SECCOMP_POD}`))
  for (const [key, value] of Object.entries(all)) {
    if (key.startsWith(SECCOMP_CONTAINER)) addAll(errors, profileErrors(value, `${field}.${key}`))
  }
  const names = new Set([...containersOf(spec, '')].map(([container]) => container['name']))
  for (const [key, value] of Object.entries(all)) {
    if (!key.startsWith(APP_ARMOR)) continue
    const name = key.slice(APP_ARMOR.length)
    if (!names.has(name)) errors.push(invalidValue(`${field}[${key}]`, name, 'container not found'))
    const profile = textOf(value)
    if (profile === '' || profile === 'runtime/default' || profile === 'unconfined') continue
    if (profile.startsWith('localhost/')) continue
    const detail = `invalid AppArmor profile name: ${JSON.stringify(profile)}`
    errors.push(invalidValue(`${field}[${key}]`, profile, detail))
  }
  return errors
}

function isInt32(text: string): boolean {
  const number = Number(text)
  return /^(0|-?[1-9]\d*)$/.test(text) && number >= -(2 ** 31) && number < 2 ** 31
}

function profileErrors(value: unknown, field: string): FieldError[] {
  const profile = textOf(value)
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return []
  if (profile.startsWith('localhost/')) return descendingPath(profile.slice('localhost/'.length), field)
  return [invalidValue(field, profile, 'must be a valid seccomp profile')]
}

/** Validates the immutable annotations of a Pod. */
export function validatePodAnnotationsUpdate(
  annotations: unknown,
  old: unknown,
  spec: JsonObject,
  field: string,
): FieldError[] {
  const [now, before] = [objectOf(annotations), objectOf(old)]
  const errors: FieldError[] = []
  for (const [key, value] of Object.entries(before)) {
    if (now[key] === value) continue
    if (key.startsWith(APP_ARMOR)) {
      errors.push(forbiddenValue(`${field}[${key}]`, 'may not remove or update AppArmor annotations'))
    }
    if (key === MIRROR) {
      errors.push(forbiddenValue(`${field}[${key}]`, 'may not remove or update mirror pod annotation'))
    }
  }
  for (const key of Object.keys(now)) {
    if (before[key] !== undefined) continue
    if (key.startsWith(APP_ARMOR)) {
      errors.push(forbiddenValue(`${field}[${key}]`, 'may not add AppArmor annotations'))
    }
    if (key === MIRROR) errors.push(forbiddenValue(`${field}[${key}]`, 'may not add mirror pod annotation'))
  }
  return [...errors, ...validatePodAnnotations(now, spec, field)]
}

/** Validates that annotations and fields name the same seccomp and AppArmor profiles. */
export function validateConfinement(metadata: JsonObject, spec: JsonObject, field: string): FieldError[] {
  const annotations = objectOf(metadata['annotations'])
  const security = objectOf(spec['securityContext'])
  const errors = matches(
    annotations[SECCOMP_POD],
    security['seccompProfile'],
    'seccomp',
    `${field}.securityContext.seccompProfile`,
  )
  for (const [container, at] of containersOf(spec, field)) {
    const own = objectOf(container['securityContext'])['seccompProfile']
    const key = `${SECCOMP_CONTAINER}${textOf(container['name'])}`
    addAll(errors, matches(annotations[key], own, 'seccomp', `${at}.securityContext.seccompProfile`))
  }
  if (objectOf(spec['os'])['name'] === 'windows') return errors
  for (const [container, at] of containersOf(spec, field)) {
    const own = objectOf(container['securityContext'])['appArmorProfile'] ?? security['appArmorProfile']
    const key = `${APP_ARMOR}${textOf(container['name'])}`
    addAll(errors, matches(annotations[key], own, 'apparmor', `${at}.securityContext.appArmorProfile`))
  }
  return errors
}

function matches(annotation: unknown, profile: unknown, what: string, field: string): FieldError[] {
  if (annotation === undefined || !isObject(profile)) return []
  const text = textOf(annotation)
  const type = forbiddenValue(`${field}.type`, `${what} type in annotation and field must match`)
  switch (profile['type']) {
    case 'Unconfined':
      return text === 'unconfined' ? [] : [type]
    case 'RuntimeDefault':
      return text === 'runtime/default' || (what === 'seccomp' && text === 'docker/default') ? [] : [type]
    case 'Localhost':
      if (!text.startsWith('localhost/')) return [type]
      if (text.slice('localhost/'.length) === profile['localhostProfile']) return []
      return [
        forbiddenValue(`${field}.localhostProfile`, `${what} profile in annotation and field must match`),
      ]
    default:
      return []
  }
}
