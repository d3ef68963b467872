import { HomeostatError, parseGoDuration } from '@homeostat/api'
import { configurationProblem, type ConfigurationShape } from '../checks/index.ts'
import { ExpressionProblem } from '../expressions/index.ts'
import {
  aggregate,
  duplicateValue,
  invalidValue,
  isObject,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
  type FieldError,
  type JsonObject,
} from '../schema/index.ts'
import { compileReviewCondition, type ReviewCondition } from './review-conditions.ts'

/** One authorizer of a configuration. */
export type AuthorizerSettings =
  | { readonly type: 'RBAC' | 'AlwaysAllow' | 'AlwaysDeny'; readonly name: string }
  | ({ readonly type: 'Webhook'; readonly name: string } & WebhookSettings)

/** How a webhook is asked. Times are in milliseconds. */
export interface WebhookSettings {
  /** The absolute path of the kubeconfig that says where it is. */
  readonly kubeconfig: string
  readonly timeout: number
  readonly version: 'v1' | 'v1beta1'
  /** How long answers are kept; zero where they are not kept. */
  readonly authorizedLifetime: number
  readonly unauthorizedLifetime: number
  /** Whether a request is denied where the webhook fails. If not, the next authorizer is asked. */
  readonly deniesOnFailure: boolean
  readonly conditions: readonly ReviewCondition[]
}

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1']
const KNOWN = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook']
const MOST_CONDITIONS = 64

const SHAPE: ConfigurationShape = {
  apiVersion: 'string',
  kind: 'string',
  authorizers: [
    {
      type: 'string',
      name: 'string',
      webhook: {
        authorizedTTL: 'string',
        cacheAuthorizedRequests: 'boolean',
        unauthorizedTTL: 'string',
        cacheUnauthorizedRequests: 'boolean',
        timeout: 'string',
        subjectAccessReviewVersion: 'string',
        matchConditionSubjectAccessReviewVersion: 'string',
        failurePolicy: 'string',
        connectionInfo: { type: 'string', kubeConfigFile: 'string' },
        matchConditions: [{ expression: 'string' }],
      },
    },
  ],
}

/** Reads an AuthorizationConfiguration. Fails with `AUTHORIZATION_CONFIGURATION_INVALID` and kube-apiserver's messages. */
export function readConfiguration(value: unknown): readonly AuthorizerSettings[] {
  const problem = configurationProblem(value, 'AuthorizationConfiguration', VERSIONS, SHAPE)
  if (problem !== undefined || !isObject(value)) throw invalid(problem ?? 'it is not an object')
  const all = listOf(value['authorizers'])
  const errors: FieldError[] = []
  if (all.length === 0) {
    errors.push(requiredValue('authorizers', 'at least one authorization mode must be defined'))
  }
  const seen = { types: new Set<string>(), names: new Set<string>() }
  const settings = all.flatMap((one, index) =>
    authorizerOf(objectOf(one), `authorizers[${index}]`, seen, errors),
  )
  if (errors.length > 0) throw invalid(aggregate(errors))
  const misnamed = settings.flatMap(({ type, name }) => {
    const expected = type.toLowerCase()
    return type === 'Webhook' || name === expected
      ? []
      : `expected name ${expected} for authorizer ${type} instead of ${name}`
  })
  if (misnamed.length > 0)
    throw invalid(misnamed.length === 1 ? (misnamed[0] ?? '') : `[${misnamed.join(', ')}]`)
  return settings
}

function authorizerOf(
  { type: given, name: label, webhook }: JsonObject,
  at: string,
  seen: { readonly types: Set<string>; readonly names: Set<string> },
  errors: FieldError[],
): AuthorizerSettings[] {
  const [type, name] = [textOf(given ?? ''), textOf(label ?? '')]
  if (type === '') errors.push(requiredValue(`${at}.type`))
  else if (!KNOWN.includes(type)) errors.push(unsupportedValue(`${at}.type`, type, KNOWN))
  else if (seen.types.has(type) && type !== 'Webhook') errors.push(duplicateValue(`${at}.type`, type))
  else {
    seen.types.add(type)
    checkName(name, `${at}.name`, seen.names, errors)
    if (type === 'Webhook' && isObject(webhook)) return [{ type, name, ...webhookOf(webhook, at, errors) }]
    if (type === 'Webhook') errors.push(requiredValue(`${at}.webhook`, 'required when type=Webhook'))
    else if (isObject(webhook)) {
      errors.push(invalidValue(`${at}.webhook`, 'non-null', 'may only be specified when type=Webhook'))
    } else if (type === 'ABAC' || type === 'Node') {
      errors.push(invalidValue(`${at}.type`, type, 'this server has no such authorizer; leave it out'))
    } else if (type === 'RBAC' || type === 'AlwaysAllow' || type === 'AlwaysDeny') return [{ type, name }]
  }
  return []
}

function checkName(name: string, at: string, names: Set<string>, errors: FieldError[]): void {
  const problems = name === '' ? [] : subdomainProblems(name)
  if (name === '') errors.push(requiredValue(at))
  else if (names.has(name)) errors.push(duplicateValue(at, name))
  else if (problems.length > 0) {
    errors.push(invalidValue(at, name, `authorizer name is invalid: ${problems.join(', ')}`))
  }
  names.add(name)
}

function webhookOf(webhook: JsonObject, at: string, errors: FieldError[]): WebhookSettings {
  const duration = (field: string): bigint => {
    const text = textOf(webhook[field] ?? '')
    const nanoseconds = parseGoDuration(text || '0')
    if (nanoseconds !== undefined) return nanoseconds
    throw invalid(`${at}.webhook.${field}: ${text} is not a duration: write 10s`)
  }
  const timeout = duration('timeout')
  if (timeout === 0n) errors.push(requiredValue(`${at}.timeout`))
  else if (timeout < 0n || timeout > 30_000_000_000n) {
    errors.push(invalidValue(`${at}.timeout`, textOf(webhook['timeout']), 'must be > 0s and <= 30s'))
  }
  const lifetime = (field: string, cached: string, ifUnset: number): number => {
    const given = milliseconds(duration(field))
    if (given < 0) errors.push(invalidValue(`${at}.${field}`, textOf(webhook[field]), 'must be > 0s'))
    return webhook[cached] === false ? 0 : given || ifUnset
  }
  const authorizedLifetime = lifetime('authorizedTTL', 'cacheAuthorizedRequests', 300_000)
  const unauthorizedLifetime = lifetime('unauthorizedTTL', 'cacheUnauthorizedRequests', 30_000)
  const version = choice(webhook, 'subjectAccessReviewVersion', ['v1', 'v1beta1'], at, errors)
  checkConditionVersion(webhook, at, errors)
  const policy = choice(webhook, 'failurePolicy', ['NoOpinion', 'Deny'], at, errors)
  return {
    kubeconfig: connectionOf(objectOf(webhook['connectionInfo']), `${at}.connectionInfo`, errors),
    timeout: milliseconds(timeout),
    version: version === 'v1beta1' ? 'v1beta1' : 'v1',
    authorizedLifetime,
    unauthorizedLifetime,
    deniesOnFailure: policy === 'Deny',
    conditions: conditionsOf(listOf(webhook['matchConditions']), `${at}.matchConditions`, errors),
  }
}

function milliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n)
}

function choice(
  webhook: JsonObject,
  field: string,
  choices: readonly string[],
  at: string,
  errors: FieldError[],
): string {
  const value = textOf(webhook[field] ?? '')
  if (value === '') errors.push(requiredValue(`${at}.${field}`))
  else if (!choices.includes(value)) errors.push(unsupportedValue(`${at}.${field}`, value, choices))
  return value
}

function checkConditionVersion(webhook: JsonObject, at: string, errors: FieldError[]): void {
  const field = `${at}.matchConditionSubjectAccessReviewVersion`
  const version = textOf(webhook['matchConditionSubjectAccessReviewVersion'] ?? '')
  if (version !== '' && version !== 'v1') errors.push(unsupportedValue(field, version, ['v1']))
  if (version === '' && listOf(webhook['matchConditions']).length > 0) {
    errors.push(requiredValue(field, 'required if match conditions are specified'))
  }
}

/** The path of the kubeconfig. */
function connectionOf({ type, kubeConfigFile }: JsonObject, at: string, errors: FieldError[]): string {
  const [how, file] = [textOf(type ?? ''), textOf(kubeConfigFile ?? '')]
  const choices = ['InClusterConfig', 'KubeConfigFile']
  if (how === '') errors.push(requiredValue(`${at}.type`))
  else if (!choices.includes(how)) errors.push(unsupportedValue(`${at}.type`, how, choices))
  else if (how === 'InClusterConfig') {
    const detail = 'this server does not run in a Pod, so it has no such credentials; use a KubeConfigFile'
    errors.push(invalidValue(`${at}.type`, how, detail))
  } else if (file === '') errors.push(requiredValue(`${at}.kubeConfigFile`))
  else if (!file.startsWith('/') && !/^[a-z]:[\\/]/i.test(file)) {
    errors.push(invalidValue(`${at}.kubeConfigFile`, file, 'must be an absolute path'))
  }
  return file
}

function conditionsOf(all: readonly unknown[], at: string, errors: FieldError[]): ReviewCondition[] {
  if (all.length > MOST_CONDITIONS) {
    errors.push(invalidValue(at, all.length, `must have at most ${MOST_CONDITIONS} items`))
    return []
  }
  const seen = new Set<string>()
  return all.flatMap((one, index) => {
    const field = `${at}[${index}].expression`
    const source = textOf(objectOf(one)['expression'] ?? '')
    if (source.trim() === '') errors.push(requiredValue(field))
    else if (seen.has(source)) errors.push(duplicateValue(field, source))
    else {
      seen.add(source)
      const compiled = compileReviewCondition(source)
      if (!(compiled instanceof ExpressionProblem)) return [compiled]
      errors.push(invalidValue(field, source, compiled.message))
    }
    return []
  })
}

function invalid(why: string): HomeostatError {
  return new HomeostatError(
    'AUTHORIZATION_CONFIGURATION_INVALID',
    `the AuthorizationConfiguration is invalid: ${why}`,
  )
}
