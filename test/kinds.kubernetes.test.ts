import {
  apiVersionOf,
  customResourceDefinition,
  defineKind,
  kindsFromCustomResourceDefinition,
  schema as s,
  type AnyKind,
  type CustomResourceDefinitionSource,
  type StructuralSchema,
} from '@homeostat/api'
import * as native from '@homeostat/api/kinds'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { refusedSchemas } from '../packages/api/test/refused-schemas.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface ResourceList {
  readonly resources: readonly {
    readonly name: string
    readonly singularName: string
    readonly kind: string
    readonly namespaced: boolean
    readonly shortNames?: readonly string[]
    readonly categories?: readonly string[]
  }[]
}

/** A real server's discovery of the group and version of a kind. */
async function resourcesBeside(kind: AnyKind): Promise<ResourceList['resources']> {
  const path = kind.group === '' ? '/api/v1' : `/apis/${apiVersionOf(kind)}`
  return ((await server.call('GET', path)).body as unknown as ResourceList).resources
}

describe('The native kinds', () => {
  test.each(Object.entries(native))('%s is what the server serves', async (_, kind: AnyKind) => {
    const resources = await resourcesBeside(kind)
    const found = resources.find(({ name }) => name === kind.plural)
    expect(found).toMatchObject({
      kind: kind.kind,
      singularName: kind.singular,
      namespaced: kind.scope === 'Namespaced',
    })
    expect([found?.shortNames ?? [], found?.categories ?? []]).toEqual([kind.shortNames, kind.categories])
    const subresource = (name: string) => resources.some((each) => each.name === `${kind.plural}/${name}`)
    expect([subresource('status'), subresource('scale')]).toEqual([
      kind.subresources.status,
      kind.subresources.scale !== undefined,
    ])
  })

  test('are all that the server serves', async () => {
    const known = new Set(Object.values(native).map((kind) => `${apiVersionOf(kind)} ${kind.plural}`))
    for (const group of new Map(Object.values(native).map((kind) => [apiVersionOf(kind), kind])).values()) {
      for (const { name } of await resourcesBeside(group)) {
        if (!name.includes('/')) expect(known).toContain(`${apiVersionOf(group)} ${name}`)
      }
    }
    const ours = new Set(Object.values(native).map(apiVersionOf))
    const unknown = async () => {
      const groups = (await server.call('GET', '/apis')).body as unknown as {
        groups: { versions: { groupVersion: string }[] }[]
      }
      const served = groups.groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))
      const definitions = await server.call('GET', DEFINITIONS)
      const custom = definitions.body.items.map(
        (definition: { spec: { group: string } }) => definition.spec.group,
      )
      return served.filter((each) => !ours.has(each) && !custom.includes(each.split('/')[0]))
    }
    // The group of a definition that another test has removed is served for a moment longer.
    await vi.waitFor(async () => expect(await unknown()).toEqual([]), { timeout: 180_000, interval: 500 })
  })
})

const base = {
  group: 'kinds.example.com',
  kind: 'Everything',
  scope: 'Cluster',
  shortNames: ['evy'],
  categories: ['all'],
} as const

/** A use of all that the builder can say. */
const spec = s
  .object({
    text: s.string().pattern('^[a-z]*$').minLength(1).maxLength(20).title('Text').default('abc'),
    address: s.string().format('ipv4').optional(),
    color: s.enum('red', 'blue').default('red'),
    count: s.integer().format('int32').greaterThan(0).lessThan(100).multipleOf(5).default(5),
    level: s.integer().enum(1, 2).optional(),
    note: s.string().nullable().optional(),
    ratio: s.number().format('double').min(0).max(1).optional(),
    enabled: s.boolean().default(false),
    share: s.intOrString().pattern('%$').max(10).default('25%'),
    memory: s.quantity().optional(),
    since: s.timestamp().optional(),
    labels: s.map(s.string().maxLength(9)).maxProperties(3).atomic().optional(),
    names: s.list(s.string().maxLength(9)).set().maxItems(5).optional(),
    ports: s
      .list(s.object({ name: s.string().maxLength(9), port: s.integer().immutable() }).granular())
      .mapBy('name')
      .maxItems(5)
      .optional(),
    template: s.embeddedResource().optional(),
    typed: s
      .object({ data: s.map(s.string()) })
      .embeddedResource()
      .optional(),
    raw: s.any().optional(),
    open: s.object({ a: s.string().optional() }).preserveUnknown().optional(),
    either: s
      .object({ a: s.string().optional(), b: s.string().optional() })
      .oneOf({ required: ['a'] }, { required: ['b'] })
      .not({ properties: { a: { enum: ['no'] } } })
      .optional(),
    form: s.structural<string>({ type: 'string', allOf: [{ minLength: 1 }, { maxLength: 3 }] }).optional(),
  })
  .rule('self.count < 50 || self.enabled', 'a large count must be enabled', {
    reason: 'FieldValueInvalid',
    fieldPath: '.count',
  })
  .rule('size(self.text) > 0', undefined, { messageExpression: "'no text'" })
const rules = [{ rule: "self.metadata.name != 'forbidden'", message: 'not that name' }]
const status = s.object({ replicas: s.integer().optional(), conditions: s.conditions().optional() })

const Everything = defineKind({
  ...base,
  version: 'v1',
  spec,
  status,
  rules,
  columns: [{ name: 'Count', type: 'integer', path: '.spec.count', format: 'int32', priority: 1 }],
  scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.replicas' },
  selectableFields: ['.spec.color', '.spec.enabled', '.spec.count'],
})
const Older = defineKind({ ...base, version: 'v1beta1', spec, deprecated: 'Everything in v1beta1 goes away' })
const Oldest = defineKind({ ...base, version: 'v1alpha1', spec, served: false, deprecated: true })

describe('A definition with all that the builder can say', () => {
  const definition = customResourceDefinition([Oldest, Older, Everything], {
    conversion: 'None',
    labels: { test: 'kinds' },
  })

  afterAll(() => server.call('DELETE', `${DEFINITIONS}/${definition.metadata.name}`))

  test('is stored as it was made, and gives the same kinds', async () => {
    await server.install(Everything)
    const path = `${DEFINITIONS}/${definition.metadata.name}`
    const answer = await server.call('PATCH', `${path}?fieldManager=test&force=true&fieldValidation=Strict`, {
      body: definition,
      contentType: 'application/apply-patch+yaml',
    })
    expect(answer.body).toMatchObject({ spec: definition.spec })
    const stored = answer.body as unknown as CustomResourceDefinitionSource
    expect(stored.spec).toEqual(definition.spec)
    expect(kindsFromCustomResourceDefinition(stored)).toEqual([Oldest, Older, Everything])
    // Until then the former version answers, and refuses requests that come too late for it.
    await server.until('the new definition to be in force', async () => {
      return (await server.call('GET', '/apis/kinds.example.com/v1beta1/everythings')).status === 200
    })
  })

  test.each<[string, object]>([
    ['count', { count: 100 }],
    ['count', { count: 7 }],
    ['count', { count: 0 }],
    ['count', { count: 55 }],
    ['address', { address: 'here' }],
    ['level', { level: 3 }],
    ['share', { share: 11 }],
    [
      'ports',
      {
        ports: [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
    ],
    ['typed', { typed: { data: {} } }],
    ['either', { either: { a: 'x', b: 'y' } }],
    ['either', { either: { a: 'no' } }],
    ['form', { form: 'long' }],
  ])('refuses objects as it says: %s of %j', async (field, wrong) => {
    const answer = await server.call('POST', '/apis/kinds.example.com/v1/everythings', {
      body: { ...typed(Everything), metadata: { name: 'wrong' }, spec: wrong },
    })
    expect(answer.body).toMatchObject({
      reason: 'Invalid',
      message: expect.stringContaining(`spec.${field}`) as string,
    })
  })

  test('fills in defaults, selects by fields, and applies rules over the whole object', async () => {
    const create = (name: string) =>
      server.client.create(Everything, { metadata: { name }, spec: { raw: [1, { a: null }], note: null } })
    const created = await create('right')
    expect(created.spec).toEqual({
      text: 'abc',
      color: 'red',
      count: 5,
      enabled: false,
      share: '25%',
      raw: [1, { a: null }],
      note: null,
    })
    expect(await server.client.list(Everything, { fields: { 'spec.color': 'red' } })).toHaveLength(1)
    expect(await server.client.list(Everything, { fields: { 'spec.color': 'blue' } })).toHaveLength(0)
    await expect(create('forbidden')).rejects.toThrow(/not that name/)
  })
})

describe('What we refuse in a schema, the server does too:', () => {
  test.each(refusedSchemas)('$problem', async ({ schema, dropped }) => {
    const answer = await server.call('POST', `${DEFINITIONS}?dryRun=All&fieldValidation=Strict`, {
      body: definitionWith(schema),
    })
    expect([422, 400], JSON.stringify(answer.body)).toContain(answer.status)
    if (dropped) expect(answer.status).toBe(400)
  })
})

function typed(kind: AnyKind): object {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind }
}

function definitionWith(schema: StructuralSchema): object {
  const definition = customResourceDefinition(
    defineKind({ ...base, kind: 'Refused', version: 'v1', spec: s.object({}) }),
  )
  const version = definition.spec.versions[0]!
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: schema } } },
  }
  return {
    ...definition,
    spec: { ...definition.spec, versions: [{ ...version, schema: { openAPIV3Schema } }] },
  }
}
