import { deepEqual } from '@homeostat/api'
import { compareDefinitions, type ComparedDefinition } from '@homeostat/cli'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonAnswer } from '../json-call.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { definitionPairs, type ClientRequest, type DefinitionPair } from './definition-pairs.ts'

/** `compareDefinitions` against servers: what clients get before and after a definition changes, versions and names included. */
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const run = crypto.randomUUID().slice(0, 8)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await Promise.all(
    definitionPairs.map((pair) => server.call('DELETE', `${DEFINITIONS}/samples.${groupOf(pair)}`)),
  )
  await server.close()
})

const groupOf = (pair: DefinitionPair): string =>
  `c${definitionPairs.indexOf(pair)}-${run}.compat.example.com`

function definition(
  pair: DefinitionPair,
  side: 'old' | 'next',
): ComparedDefinition & { metadata: { name: string } } {
  const schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { a: { type: 'string' }, marker: { type: 'string' } } },
    },
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `samples.${groupOf(pair)}` },
    spec: {
      group: groupOf(pair),
      scope: 'Namespaced',
      names: { kind: 'Sample', plural: 'samples', singular: 'sample', listKind: 'SampleList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      ...pair[side],
    },
  }
}

const collectionOf = (pair: DefinitionPair, version = 'v1'): string =>
  `/apis/${groupOf(pair)}/${version}/namespaces/${server.namespace}/samples`

async function outcome(pair: DefinitionPair, request: ClientRequest): Promise<unknown> {
  const { method, path, version, edit, show } = request
  const base = path.startsWith('/') ? `/apis/${groupOf(pair)}` : collectionOf(pair, version)
  const url = path.startsWith('/')
    ? `${base}${path}`
    : path.startsWith('?')
      ? `${base}${path}`
      : `${base}/${path}`.replace(/\/$/, '')
  if (!edit) {
    const { status, body } = await server.call(method, url)
    return { status, ...(status < 300 && show && { shown: show(body) }) }
  }
  const { status: found, body: object } = await server.call('GET', url)
  if (found >= 300) return { status: found }
  edit(object)
  const { status, body } = await server.call(method, `${url}?dryRun=All`, { body: object })
  return { status, ...(status < 300 && show && { shown: show(body) }) }
}

const outcomes = async (pair: DefinitionPair): Promise<unknown[]> => {
  const found: unknown[] = []
  for (const request of pair.requests) found.push(await outcome(pair, request))
  return found
}

async function install(pair: DefinitionPair): Promise<void> {
  const made = await server.call('POST', DEFINITIONS, { body: definition(pair, 'old') })
  expect(made.status, made.body.message).toBe(201)
  const body = {
    apiVersion: `${groupOf(pair)}/v1`,
    kind: 'Sample',
    metadata: { name: 'one' },
    spec: { a: 'one', replicas: 3 },
  }
  await server.until('the object is stored', async () => {
    const { status } = await server.call('POST', collectionOf(pair), { body })
    return status === 201 || status === 409
  })
}

describe.each(['safe', 'breaking'] as const)('%s:', (level) => {
  const pairs = definitionPairs.filter((pair) => pair.level === level)

  it.each(pairs.map((pair) => [pair.title, pair] as const))('%s', async (_title, pair) => {
    const findings = compareDefinitions([definition(pair, 'old')], [definition(pair, 'next')])
    expect(findings[0]?.level, JSON.stringify(findings)).toBe(level)
    expect(findings.map(({ rule }) => rule)).toContain(pair.rule)

    await install(pair)
    const succeeds = (each: unknown): boolean =>
      typeof each === 'object' && each !== null && 'status' in each && each.status === 200
    const before = await server.until('all requests succeed', async () => {
      const found = await outcomes(pair)
      return found.every(succeeds) && found
    })
    const { spec } = definition(pair, 'next')
    const changed = await change(pair, (current) => (current.spec = spec))
    expect(changed.status, changed.body.message).toBe(pair.answer ?? 200)
    if (level === 'safe') {
      await seen(pair)
      expect(await outcomes(pair)).toEqual(before)
    } else if (changed.status === 200) {
      // Each of the requests has another outcome.
      await server.until('clients see the change', async () => {
        const after = await outcomes(pair)
        return after.every((each, index) => !deepEqual(each, before[index]))
      })
    }
  })
})

/** Waits until the server goes by the new definition. A last change of it, which adds a field, tells. */
async function seen(pair: DefinitionPair): Promise<void> {
  const { status, body: changed } = await change(pair, ({ spec }) => {
    for (const { schema } of spec.versions) {
      schema.openAPIV3Schema.properties.spec.properties.last = { type: 'string' }
    }
  })
  expect(status).toBe(200)
  const { names } = changed.spec
  const body = {
    apiVersion: `${groupOf(pair)}/v1`,
    kind: names.kind,
    metadata: { name: 'last' },
    spec: { a: 'one', last: 'x' },
  }
  await server.until('the new definition is in use', async () => {
    const { body: answer } = await server.call('POST', `${collectionOf(pair)}?dryRun=All`, { body })
    return answer.spec?.last === 'x'
  })
}

/** Changes the definition, again where the server has changed it meanwhile. */
function change(pair: DefinitionPair, edit: (definition: any) => void): Promise<JsonAnswer> {
  const path = `${DEFINITIONS}/samples.${groupOf(pair)}`
  return server.until('the definition is answered', async () => {
    const { body } = await server.call('GET', path)
    edit(body)
    const answer = await server.call('PUT', path, { body })
    return answer.status !== 409 && answer
  })
}
