import { HomeostatError, labelKeyProblems, labelSelectorFrom, optionNames } from '@homeostat/api'
import { messageOf } from '../../reconcile/index.ts'
import type {
  AdmissionOptions,
  AdmissionRule,
  MutatingOptions,
  SharedAdmissionOptions,
} from './webhook-options.ts'

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}$/
const PATH = /^\/[a-zA-Z0-9_-]+(\/[a-zA-Z0-9_-]+)*$/
const MOST_CONDITIONS = 64

const CHOICES = {
  scope: ['Cluster', 'Namespaced', '*'],
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
} as const

/** How an API server calls a webhook. */
export const CALL_OPTIONS = {
  failurePolicy: true,
  matchPolicy: true,
  sideEffects: true,
  timeoutSeconds: true,
  matchConditions: true,
  namespaceSelector: true,
  objectSelector: true,
} as const
const SHARED = { name: true, scope: true, ...CALL_OPTIONS } as const

/** Options that both webhooks of a kind share. */
export const SHARED_OPTIONS = optionNames<SharedAdmissionOptions>('admission(…).options', SHARED)
/** Options of a webhook that changes objects. */
export const MUTATING_OPTIONS = optionNames<MutatingOptions>('admission(…).defaults', {
  ...SHARED,
  path: true,
  operations: true,
  reinvocationPolicy: true,
})
/** Options of a webhook that validates. */
export const VALIDATING_OPTIONS = optionNames<AdmissionOptions>('admission(…).validates', {
  ...SHARED,
  path: true,
})

/** Throws a `HomeostatError` with code `WEBHOOK_OPTIONS_INVALID` that names the option. `whose` is for messages. */
export function checkAdmissionOptions(whose: string, options: MutatingOptions): void {
  const { name, path, timeoutSeconds } = options
  if (name !== undefined && (!NAME.test(name) || name.length > 253))
    throw invalidOption(
      whose,
      'name',
      `is ${JSON.stringify(name)}: give a domain with at least two dots, such as 'views.example.com'`,
    )
  if (path !== undefined && !PATH.test(path))
    throw invalidOption(
      whose,
      'path',
      `is ${JSON.stringify(path)}: it must begin with a slash and contain only letters, digits, - and _`,
    )
  for (const option of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
    const value = options[option]
    if (value !== undefined && !(CHOICES[option] as readonly string[]).includes(value))
      throw invalidOption(
        whose,
        option,
        `is ${JSON.stringify(value)}: use one of ${CHOICES[option].join(', ')}`,
      )
  }
  if (
    timeoutSeconds !== undefined &&
    !(Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 30)
  )
    throw invalidOption(whose, 'timeoutSeconds', `is ${timeoutSeconds}: give a whole number from 1 to 30`)
  if (options.operations?.length === 0)
    throw invalidOption(
      whose,
      'operations',
      'is empty: name at least one, or leave the option out for create and update',
    )
  checkConditions(whose, options)
  for (const option of ['namespaceSelector', 'objectSelector'] as const) {
    const selector = options[option]
    if (selector === undefined) continue
    try {
      labelSelectorFrom(selector)
    } catch (cause) {
      throw invalidOption(whose, option, `is invalid: ${messageOf(cause)}`, cause)
    }
  }
}

function checkConditions(whose: string, { matchConditions: conditions = [] }: MutatingOptions): void {
  if (conditions.length > MOST_CONDITIONS)
    throw invalidOption(
      whose,
      'matchConditions',
      `has ${conditions.length} conditions: an API server accepts at most ${MOST_CONDITIONS}`,
    )
  for (const [index, { name, expression }] of conditions.entries()) {
    const option = `matchConditions[${index}]`
    if (labelKeyProblems(name).length > 0)
      throw invalidOption(
        whose,
        option,
        `has the name ${JSON.stringify(name)}: use letters, digits, -, _ and .`,
      )
    if (conditions.findIndex((other) => other.name === name) < index)
      throw invalidOption(
        whose,
        option,
        `has the name ${JSON.stringify(name)} twice: give each condition its own name`,
      )
    if (expression.trim() === '') throw invalidOption(whose, option, 'has no expression: give one in CEL')
  }
}

/** Throws where an API server would refuse a rule. */
export function checkAdmissionRule(whose: string, rule: AdmissionRule): void {
  for (const part of ['apiGroups', 'apiVersions', 'resources', 'operations'] as const) {
    const values: readonly string[] = rule[part]
    if (values.length === 0) throw invalidOption(whose, part, "is empty: name at least one, or '*' for all")
    if (part !== 'resources' && values.length > 1 && values.includes('*'))
      throw invalidOption(whose, part, "has '*' and other values: '*' alone means all")
    if (part !== 'apiGroups' && values.includes(''))
      throw invalidOption(whose, part, 'has an empty string: remove it, or write a name')
  }
}

function invalidOption(whose: string, option: string, what: string, cause?: unknown): HomeostatError {
  return new HomeostatError('WEBHOOK_OPTIONS_INVALID', `the option ${option} of ${whose} ${what}`, { cause })
}
