import { definition, definitions } from '../../objects.ts'
import type { Step } from '../../scenario.ts'
import { create, get, remove } from '../../steps.ts'

export const text = { type: 'string' }
export const integer = { type: 'integer' }
export const things = '/apis/{ns}.example.com/v1/~/things'

/** A definition of the kind Thing in a group of the scenario's own. */
export function thing(schema: object, more: { spec?: object; version?: object } = {}) {
  return definition(
    'Thing',
    schema as Record<string, unknown>,
    {
      ...more,
      spec: { group: '{ns}.example.com', ...more.spec },
    } as never,
  )
}

export const spec = (properties: object, more: object = {}) => ({
  spec: { type: 'object', properties, ...more },
})
export const object = (name: string, spec: unknown, more: object = {}) => ({
  apiVersion: '{ns}.example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
  ...more,
})

export const path = `${definitions}/things.{ns}.example.com`
export const brief = { show: ({ metadata }: any) => metadata.name }

/** Installs a definition, waits until it is served, plays the steps and removes it. */
export function served(crd: object, ...steps: Step[]): Step[] {
  return [
    create(definitions, crd, brief),
    get(things, { until: 200, show: ({ kind }) => kind }),
    { step: 'pass', duration: '700ms' },
    ...steps,
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
  ]
}
