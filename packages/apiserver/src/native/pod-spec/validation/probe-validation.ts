import { eachObject, named, notNegative, oneOf, port, portOrName, required } from '../../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  headerNameProblems,
  invalidValue,
  isNumber,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'

const SECONDS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
]
const ACTIONS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const

/** Validates the probes and hooks of a container. */
export function validateProbes(container: JsonObject, field: string, spec: JsonObject): FieldError[] {
  const grace = spec['terminationGracePeriodSeconds']
  const errors = validateHooks(container['lifecycle'], `${field}.lifecycle`, spec)
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name]
    if (!isObject(probe)) continue
    const at = `${field}.${name}`
    addAll(errors, actionErrors(probe, at, grace))
    for (const seconds of SECONDS) addAll(errors, notNegative(probe[seconds], `${at}.${seconds}`))
    const own = probe['terminationGracePeriodSeconds']
    if (isNumber(own) && own <= 0) {
      errors.push(invalidValue(`${at}.terminationGracePeriodSeconds`, own, 'must be greater than 0'))
    }
    if (name === 'readinessProbe') {
      if (own === undefined) continue
      const detail = 'must not be set for readinessProbes'
      errors.push(invalidValue(`${at}.terminationGracePeriodSeconds`, own, detail))
    } else if (probe['successThreshold'] !== 1) {
      errors.push(invalidValue(`${at}.successThreshold`, probe['successThreshold'], 'must be 1'))
    }
  }
  return errors
}

function validateHooks(lifecycle: unknown, field: string, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  for (const hook of ['postStart', 'preStop']) {
    const action = objectOf(lifecycle)[hook]
    if (!isObject(action)) continue
    addAll(errors, actionErrors(action, `${field}.${hook}`, spec['terminationGracePeriodSeconds']))
  }
  return errors
}

/** Validates that there is exactly one action, and validates it. */
function actionErrors(handler: JsonObject, field: string, grace: unknown): FieldError[] {
  const [first, ...more] = ACTIONS.filter((name) => isObject(handler[name]))
  if (first === undefined) return [requiredValue(field, 'must specify a handler type')]
  return [
    ...oneAction(first, objectOf(handler[first]), `${field}.${first}`, grace),
    ...more.map((name) => forbiddenValue(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ]
}

function oneAction(
  kind: (typeof ACTIONS)[number],
  action: JsonObject,
  field: string,
  grace: unknown,
): FieldError[] {
  switch (kind) {
    case 'exec':
      return listOf(action['command']).length === 0 ? [requiredValue(`${field}.command`)] : []
    case 'httpGet':
      return [
        ...required(action['path'], `${field}.path`),
        ...portOrName(action['port'], `${field}.port`),
        ...oneOf(action['scheme'], ['HTTP', 'HTTPS'], `${field}.scheme`),
        ...eachObject(action['httpHeaders'], '', ({ name }) =>
          named(name, `${field}.httpHeaders`, headerNameProblems),
        ),
      ]
    case 'tcpSocket':
      return portOrName(action['port'], `${field}.port`)
    case 'grpc':
      return port(action['port'] ?? 0, `${field}.port`)
    default: {
      const seconds = isNumber(action['seconds']) ? action['seconds'] : 0
      if (!isNumber(grace) || (seconds >= 0 && seconds <= grace)) return []
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`
      return [invalidValue(field, seconds, detail)]
    }
  }
}
