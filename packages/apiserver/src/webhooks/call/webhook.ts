import { labelSelectorFrom, type LabelSelector } from '@homeostat/api'
import { matchRuleOf, type MatchRule } from '../../matching/index.ts'
import type { ServerObject } from '../../registry/index.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'

/** Where a webhook listens. */
export type WebhookTarget =
  | { readonly url: string; readonly caBundle: string }
  | {
      readonly service: {
        readonly namespace: string
        readonly name: string
        readonly port: number
        readonly path: string
      }
      readonly caBundle: string
    }

export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

/** One webhook of a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration. */
export interface Webhook {
  /** Distinguishes webhooks, also those that share a name. */
  readonly id: string
  readonly configuration: string
  readonly name: string
  readonly target: WebhookTarget
  readonly rules: readonly MatchRule[]
  readonly failurePolicy: 'Fail' | 'Ignore'
  readonly matchPolicy: 'Exact' | 'Equivalent'
  readonly namespaceSelector: LabelSelector
  readonly objectSelector: LabelSelector
  readonly hasSideEffects: boolean
  readonly timeoutSeconds: number
  readonly reviewVersions: readonly string[]
  readonly matchConditions: readonly MatchCondition[]
  /** Whether it is called again when another webhook changed the object after it. */
  readonly isReinvoked: boolean
}

/** The webhooks of a configuration, in its order. */
export function webhooksOf(configuration: ServerObject): Webhook[] {
  const { name: configurationName = '' } = configuration.metadata
  const seen = new Map<string, number>()
  return listOf(configuration['webhooks']).map((value) => {
    const webhook = objectOf(value)
    const name = textOf(webhook['name'])
    const index = seen.get(name) ?? 0
    seen.set(name, index + 1)
    return webhookOf(webhook, configurationName, `${configurationName}/${name}/${index}`)
  })
}

function webhookOf(webhook: JsonObject, configuration: string, id: string): Webhook {
  return {
    id,
    configuration,
    name: textOf(webhook['name']),
    target: targetOf(objectOf(webhook['clientConfig'])),
    rules: listOf(webhook['rules']).map((value) => matchRuleOf(objectOf(value))),
    failurePolicy: webhook['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail',
    matchPolicy: webhook['matchPolicy'] === 'Exact' ? 'Exact' : 'Equivalent',
    namespaceSelector: selectorOf(webhook['namespaceSelector']),
    objectSelector: selectorOf(webhook['objectSelector']),
    hasSideEffects: webhook['sideEffects'] !== 'None' && webhook['sideEffects'] !== 'NoneOnDryRun',
    timeoutSeconds: typeof webhook['timeoutSeconds'] === 'number' ? webhook['timeoutSeconds'] : 10,
    reviewVersions: texts(webhook['admissionReviewVersions']),
    matchConditions: listOf(webhook['matchConditions']).map((value) => {
      const { name, expression } = objectOf(value)
      return { name: textOf(name), expression: textOf(expression) }
    }),
    isReinvoked: webhook['reinvocationPolicy'] === 'IfNeeded',
  }
}

/** Where a webhook listens, by the `clientConfig` of its configuration. */
export function targetOf(client: JsonObject): WebhookTarget {
  const caBundle = textOf(client['caBundle'] ?? '')
  if (typeof client['url'] === 'string') return { url: client['url'], caBundle }
  const { namespace, name, port = 443, path = '' } = objectOf(client['service'])
  return {
    service: { namespace: textOf(namespace), name: textOf(name), port: Number(port), path: textOf(path) },
    caBundle,
  }
}

/**
 * The address that a webhook is called at. A Service has the name that its certificate must be for. As in Go's client, the path
 * has no empty segments and no slash at its end.
 */
export function addressOf(target: WebhookTarget): string {
  if ('service' in target) {
    const { namespace, name, port, path } = target.service
    return `https://${name}.${namespace}.svc:${port}${cleanPath(path)}`
  }
  const [, host = target.url, path = ''] = /^([a-z]+:\/\/[^/]*)(.*)$/i.exec(target.url) ?? []
  return `${host}${cleanPath(path)}`
}

function cleanPath(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}

function texts(value: unknown): string[] {
  return listOf(value).map((each) => textOf(each))
}

function selectorOf(value: unknown): LabelSelector {
  return labelSelectorFrom(objectOf(value))
}
