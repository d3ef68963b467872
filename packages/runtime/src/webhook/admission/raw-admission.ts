import { checkOptionNames, deepFreeze, HomeostatError, optionNames } from '@homeostat/api'
import type { AdmissionEndpoint, AdmissionWebhook } from './admission-endpoint.ts'
import type { AdmissionRequest } from './admission-request.ts'
import { answerAdmissionReview, type AdmissionResult } from './admission-review.ts'
import type { UnstructuredObject } from './admitted-object.ts'
import { CALL_OPTIONS, checkAdmissionOptions, checkAdmissionRule } from './check-options.ts'
import type { AdmissionContext } from './context.ts'
import type { Allowed, Denied, Patched } from './result.ts'
import { pathOfName } from './webhook-names.ts'
import type { AdmissionOptions, AdmissionRule, MutatingOptions } from './webhook-options.ts'

/** Decides about a request for an object of any kind. */
export type RawHandler<Result> = (
  request: AdmissionRequest<UnstructuredObject>,
  context: AdmissionContext<UnstructuredObject>,
) => Result | Promise<Result>

/** Options of a policy over many kinds: its name and its operations are known already. */
export type RawOptions = Omit<MutatingOptions, 'name' | 'operations' | 'scope'>

const RAW_OPTIONS = optionNames<RawOptions>('rawAdmission', {
  path: true,
  ...CALL_OPTIONS,
  reinvocationPolicy: true,
})

/** Builds a policy over many kinds. */
export interface RawAdmissionBuilder {
  /** Allows requests, refuses them or changes their objects, with a mutating webhook. */
  mutates(handler: RawHandler<Allowed | Denied | Patched>, options?: RawOptions): AdmissionWebhook
  /** Allows or refuses requests, with a validating webhook. */
  validates(
    handler: RawHandler<Allowed | Denied>,
    options?: Omit<RawOptions, 'reinvocationPolicy'>,
  ): AdmissionWebhook
}

/**
 * Begins a policy over many kinds, which sees objects as plain JSON. The name appears in the webhook configuration, and
 * must have at least two dots. The rules say which requests the API server sends to the webhook.
 */
export function rawAdmission(
  name: string,
  ...rules: readonly [AdmissionRule, ...AdmissionRule[]]
): RawAdmissionBuilder {
  const whose = `the admission ${name}`
  checkAdmissionOptions(whose, { name })
  if (rules.length === 0) {
    throw new HomeostatError('WEBHOOK_OPTIONS_INVALID', `${whose} has no rules: say which requests it is for`)
  }
  for (const rule of rules) {
    checkAdmissionOptions(whose, { scope: rule.scope })
    checkAdmissionRule(whose, rule)
  }
  const webhook = (
    verb: 'mutate' | 'validate',
    handler: RawHandler<AdmissionResult>,
    options: AdmissionOptions = {},
  ): AdmissionWebhook => {
    checkOptionNames(options, RAW_OPTIONS)
    checkAdmissionOptions(whose, options)
    const endpoint: AdmissionEndpoint = {
      type: verb === 'mutate' ? 'mutating' : 'validating',
      name,
      path: options.path ?? pathOfName(verb, name),
      rules,
      options,
      answer: (call) =>
        answerAdmissionReview(call, async (request, context) => {
          const result = await handler(
            deepFreeze(request) as AdmissionRequest<UnstructuredObject>,
            context as AdmissionContext<UnstructuredObject>,
          )
          return checkedResult(result, verb)
        }),
    }
    return { endpoints: [endpoint] }
  }
  return {
    mutates: (handler, options) => webhook('mutate', handler, options),
    validates: (handler, options) => webhook('validate', handler, options),
  }
}

function checkedResult(result: AdmissionResult, verb: 'mutate' | 'validate'): AdmissionResult {
  const known = verb === 'mutate' ? ['allowed', 'denied', 'patched'] : ['allowed', 'denied']
  if (known.includes((result as { readonly type?: string } | undefined)?.type ?? '')) return result
  throw new TypeError(
    `the handler returned ${JSON.stringify(result)}: return ${known.map((name) => `${name}(…)`).join(' or ')}`,
  )
}
