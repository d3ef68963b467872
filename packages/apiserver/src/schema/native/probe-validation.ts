import { forbiddenValue, invalidValue, requiredValue, type FieldError } from '../field-error.ts'
import { isObject, listOf, objectOf, type JsonObject } from '../json.ts'
import { notNegative, oneOf, portOrName, required } from './checks.ts'

const SECONDS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
]
const PROBE_ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'grpc']
const HOOK_ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'sleep']

/** What is wrong with the probes and hooks of a container. */
export function validateProbes(container: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name]
    if (!isObject(probe)) continue
    const at = `${field}.${name}`
    errors.push(...actionErrors(probe, PROBE_ACTIONS, at))
    for (const seconds of SECONDS) errors.push(...notNegative(probe[seconds], `${at}.${seconds}`))
    if (
      name !== 'readinessProbe' &&
      probe['successThreshold'] !== undefined &&
      probe['successThreshold'] !== 1
    ) {
      errors.push(invalidValue(`${at}.successThreshold`, probe['successThreshold'], 'must be 1'))
    }
    const grace = probe['terminationGracePeriodSeconds']
    if (grace === undefined) continue
    if (name === 'readinessProbe') {
      const detail = 'must not be set for readinessProbes'
      errors.push(invalidValue(`${at}.terminationGracePeriodSeconds`, grace, detail))
    } else if (typeof grace === 'number' && grace <= 0) {
      errors.push(invalidValue(`${at}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'))
    }
  }
  const lifecycle = objectOf(container['lifecycle'])
  for (const hook of ['postStart', 'preStop']) {
    const action = lifecycle[hook]
    if (isObject(action)) errors.push(...actionErrors(action, HOOK_ACTIONS, `${field}.lifecycle.${hook}`))
  }
  return errors
}

/** Exactly one action, and that one right. */
function actionErrors(handler: JsonObject, allowed: readonly string[], field: string): FieldError[] {
  const [first, ...more] = allowed.filter((name) => isObject(handler[name]))
  if (first === undefined) return [requiredValue(field, 'must specify a handler type')]
  const errors = more.map((name) =>
    forbiddenValue(`${field}.${name}`, 'may not specify more than 1 handler type'),
  )
  const action = handler[first] as JsonObject
  const at = `${field}.${first}`
  if (more.length > 0) return errors
  if (first === 'exec' && listOf(action['command']).length === 0) return [requiredValue(`${at}.command`)]
  if (first === 'httpGet') {
    return [
      ...required(action['path'], `${at}.path`),
      ...portOrName(action['port'], `${at}.port`),
      ...oneOf(action['scheme'], ['HTTP', 'HTTPS'], `${at}.scheme`),
    ]
  }
  return first === 'tcpSocket' || first === 'grpc' ? portOrName(action['port'], `${at}.port`) : errors
}
