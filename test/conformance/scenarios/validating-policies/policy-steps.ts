import { configMap, configMaps } from '../../objects.ts'
import { withPolicy, written, type Fields } from '../../policy-objects.ts'
import type { Scenario, Step } from '../../scenario.ts'
import { create } from '../../steps.ts'

export const name = { show: ({ metadata }: { metadata: { name: string } }) => metadata.name }
export const make = (body: unknown, path = configMaps): Step => create(path, body, name)
export const demand = (expression: string, more: Fields = {}): Fields => ({
  validations: [{ expression, ...more }],
})
export const denies = (title: string, spec: Fields, ...steps: readonly Step[]): Scenario =>
  withPolicy('Validating', title, spec, {}, ...steps)
export const refused = (title: string, spec: Fields): Scenario => written('Validating', title, spec)
export const hasData = "has(object.data) && 'team' in object.data"
export const good = configMap('good', { team: 'a' })
export const bad = configMap('bad', {})

/** An expression whose value for a ConfigMap is told by the message of the refusal. */
export const tells = (title: string, messageExpression: string, body: unknown = good): Scenario =>
  denies(title, { validations: [{ expression: 'false', messageExpression }] }, make(body))
/** An expression, and what comes of it. */
export const gives = (title: string, expression: string, more: Fields = {}): Scenario =>
  denies(title, { ...demand(expression), ...more }, make(good))

/** The kind of parameters. */
export const kinds = { apiVersion: 'v1', kind: 'ConfigMap' }
