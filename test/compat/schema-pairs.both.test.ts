import { deepEqual, type CustomResourceDefinitionSource, type StructuralSchema } from '@homeostat/api'
import { compareDefinitions } from '@homeostat/cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonAnswer } from '../json-call.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { schemaPairs } from './schema-pairs.ts'
import type { Action, SchemaPair } from './schema-pair.ts'

/**
 * `compareDefinitions` against servers. All pairs are fields of one kind, whose schema changes once. What clients can do with the objects
 * is tried before and after the change.
 */
const group = `c${crypto.randomUUID().slice(0, 8)}.compat.example.com`
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

function definition(
  fields: Readonly<Record<string, StructuralSchema>>,
): CustomResourceDefinitionSource & { apiVersion: string; kind: string; metadata: { name: string } } {
  const cases = Object.entries(fields).map(([name, field]) => [
    name,
    { type: 'object', properties: { field, other: { type: 'string' } } },
  ])
  const spec = { type: 'object', properties: Object.fromEntries(cases) }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `samples.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Sample', plural: 'samples', singular: 'sample', listKind: 'SampleList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  }
}

const caseOf = (pair: SchemaPair): string => `case${schemaPairs.indexOf(pair)}`
const all = (side: 'old' | 'next'): Record<string, StructuralSchema> =>
  Object.fromEntries(schemaPairs.map((pair) => [caseOf(pair), pair[side]]))

interface Outcome {
  readonly status: number
  readonly value?: unknown
}

let server: TestServer
const before = new Map<SchemaPair, Partial<Record<Action, Outcome>>>()
const after = new Map<SchemaPair, Partial<Record<Action, Outcome>>>()

const collection = (): string => `/apis/${group}/v1/namespaces/${server.namespace}/samples`
const objectOf = (name: string, pair: SchemaPair, field: unknown, other = 'one'): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Sample',
  metadata: { name },
  spec: { [caseOf(pair)]: { ...(field !== undefined && { field }), other } },
})

async function outcomesOf(pair: SchemaPair): Promise<Partial<Record<Action, Outcome>>> {
  const name = caseOf(pair)
  const outcome = ({ status, body }: JsonAnswer): Outcome =>
    status < 300 ? { status, value: body.spec[name].field } : { status }
  const path = `${collection()}/${name}`
  const put = async (
    from: string,
    edit: (part: { field?: unknown; other?: string }) => void,
  ): Promise<Outcome> => {
    const { body } = await server.call('GET', from)
    edit(body.spec[name])
    return outcome(await server.call('PUT', `${from}?dryRun=All`, { body }))
  }
  if (pair.applied) {
    const [body] = appliedBy(pair)
    return { apply: outcome(await apply(path, 'one', body, '&dryRun=All')) }
  }
  const created = objectOf(`new-${name}`, pair, pair.stored)
  return {
    create: outcome(await server.call('POST', `${collection()}?dryRun=All`, { body: created })),
    read: outcome(await server.call('GET', path)),
    keep: await put(path, () => {}),
    other: await put(path, (part) => (part.other = 'two')),
    ...(pair.change !== undefined && {
      change: await put(
        pair.from === undefined ? path : `${path}-from`,
        (part) => (part.field = pair.change),
      ),
    }),
  }
}

function appliedBy(pair: SchemaPair): readonly [object, object] {
  const [one, two] = (pair.applied ?? []).map((field) => objectOf(caseOf(pair), pair, field))
  return [one ?? {}, two ?? {}]
}

function apply(path: string, manager: string, body: object, query = ''): Promise<JsonAnswer> {
  const contentType = 'application/apply-patch+yaml'
  return server.call('PATCH', `${path}?fieldManager=${manager}${query}`, { body, contentType })
}

async function store(pair: SchemaPair): Promise<void> {
  const name = caseOf(pair)
  if (pair.applied) {
    const [one, two] = appliedBy(pair)
    for (const [manager, body] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const { status, body: answer } = await apply(`${collection()}/${name}`, manager, body)
      expect(status, `${pair.title}: ${answer.message}`).toBeLessThan(300)
    }
    return
  }
  const objects = [objectOf(name, pair, pair.stored)]
  if (pair.from !== undefined) objects.push(objectOf(`${name}-from`, pair, pair.from))
  for (const body of objects) {
    const { status, body: answer } = await server.call('POST', collection(), { body })
    expect(status, `${pair.title}: ${answer.message}`).toBe(201)
  }
}

beforeAll(async () => {
  server = await startTestServer()
  const made = await server.call('POST', DEFINITIONS, { body: definition(all('old')) })
  if (made.status !== 201) throw new Error(made.body.message)
  await server.until(
    'the kind is served',
    async () => (await server.call('GET', collection())).status === 200,
  )
  for (const pair of schemaPairs) {
    await store(pair)
    before.set(pair, await outcomesOf(pair))
  }
  // A field that only the new schema keeps tells when the server goes by it.
  const { spec } = definition({ ...all('next'), marker: { type: 'string' } })
  const path = `${DEFINITIONS}/samples.${group}`
  const changed = await server.call('PATCH', path, { body: { spec: { versions: spec.versions } } })
  if (changed.status !== 200) throw new Error(changed.body.message)
  const body = { ...objectOf('marker', schemaPairs[0]!, undefined), spec: { marker: { field: 'x' } } }
  await server.until('the new schema is in use', async () => {
    const { body: answer } = await server.call('POST', `${collection()}?dryRun=All`, { body })
    return answer.spec?.marker?.field === 'x'
  })
  for (const pair of schemaPairs) after.set(pair, await outcomesOf(pair))
})

afterAll(async () => {
  await server.call('DELETE', `${DEFINITIONS}/samples.${group}`)
  await server.close()
})

function expectedDifference({ level, differs = [] }: SchemaPair): readonly Action[] {
  if (level === 'safe') return []
  return level === 'ratcheting' ? ['create', 'change'] : differs
}

describe.each(['safe', 'ratcheting', 'breaking'] as const)('%s:', (level) => {
  const pairs = schemaPairs.filter((pair) => pair.level === level)

  it.each(pairs.map((pair) => [pair.title, pair] as const))('%s', (_title, pair) => {
    const findings = compareDefinitions(
      [definition({ [caseOf(pair)]: pair.old })],
      [definition({ [caseOf(pair)]: pair.next })],
    )
    // The worst comes first.
    expect(findings[0]?.level ?? 'safe', JSON.stringify(findings)).toBe(level)
    if (pair.rule) expect(findings.map(({ rule }) => rule)).toContain(pair.rule)

    const [old, next] = [before.get(pair) ?? {}, after.get(pair) ?? {}]
    for (const [action, { status }] of Object.entries(old))
      expect([action, status < 300]).toEqual([action, true])
    const expected = (outcome: Outcome | undefined): unknown =>
      pair.becomes === undefined || !deepEqual(outcome?.value, pair.stored)
        ? outcome
        : { ...outcome, value: pair.becomes }
    const different = Object.entries(next)
      .filter(([action, outcome]) => !deepEqual(outcome, expected(Reflect.get(old, action) as Outcome)))
      .map(([action]) => action)
    expect(different, JSON.stringify({ old, next })).toEqual(expectedDifference(pair))
  })
})
