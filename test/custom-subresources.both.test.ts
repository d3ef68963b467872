import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const GROUP = 'subresources.homeostat.test'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DEFINITION = `${DEFINITIONS}/gauges.${GROUP}`
const APPLY = { contentType: 'application/apply-patch+yaml' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call('POST', DEFINITIONS, {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `gauges.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'gauges', kind: 'Gauge' },
        versions: versions(-1),
      },
    },
  })
  await server.until('both versions are served', async () => {
    const answers = [await create('v1', 'probe', '?dryRun=All'), await create('v2', 'probe', '?dryRun=All')]
    return answers.every(({ status }) => status === 201)
  })
})
afterAll(async () => {
  await server.call('DELETE', DEFINITION)
  await server.close()
})

/** The version that is stored, whose status has this default, and another one with other defaults. */
function versions(seen: number): object[] {
  return [version('v1', true, { seen, deep: {} }, 1), version('v2', false, { seen: -2, deep: {} }, 2)]
}

function version(name: string, storage: boolean, status: object, depth: number): object {
  const deep = { type: 'object', properties: { depth: { type: 'integer', default: depth } } }
  const schemas = {
    spec: { type: 'object', properties: { size: { type: 'integer' } } },
    status: { type: 'object', properties: { seen: { type: 'integer' }, deep }, default: status },
  }
  return {
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', properties: schemas } },
  }
}

const path = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/${server.namespace}/gauges${name && `/${name}`}`
const gauge = (version: string, name: string): object => ({
  apiVersion: `${GROUP}/${version}`,
  kind: 'Gauge',
  metadata: { name },
  spec: { size: 1 },
})
const create = (version: string, name: string, query = '') =>
  server.call('POST', `${path(version)}${query}`, { body: { ...gauge(version, name), status: { seen: 9 } } })
const statusOf = async (version: string, name: string): Promise<unknown> =>
  (await server.call('GET', path(version, name))).body.status

describe('the default of a whole status', () => {
  const stored = { seen: -1, deep: { depth: 1 } }

  test.each(['v1', 'v2'])('is that of the stored version for an object that is created as %s', async (as) => {
    for (const query of ['?dryRun=All', '']) {
      const { status, body } = await create(as, `by-${as}`, query)
      expect([query, status, body.status]).toEqual([query, 201, stored])
    }
    const applied = await server.call('PATCH', `${path(as, `applied-${as}`)}?fieldManager=m`, {
      body: gauge(as, `applied-${as}`),
      ...APPLY,
    })
    expect([applied.status, applied.body.status]).toEqual([201, stored])
    for (const name of [`by-${as}`, `applied-${as}`]) {
      expect([await statusOf('v1', name), await statusOf('v2', name)]).toEqual([stored, stored])
    }
  })

  test('is not stored before an object is written again', async () => {
    await create('v1', 'untouched')
    await create('v1', 'written')
    const patch = { body: { spec: { size: 2 } } }
    expect((await server.call('PATCH', path('v1', 'written'), patch)).body.status).toEqual(stored)
    await server.call('PATCH', DEFINITION, { body: { spec: { versions: versions(-5) } } })
    await server.until('the new default', async () => {
      return (await create('v1', 'probe', '?dryRun=All')).body.status?.seen === -5
    })
    expect(await statusOf('v1', 'untouched')).toEqual({ seen: -5, deep: { depth: 1 } })
    expect(await statusOf('v1', 'written')).toEqual(stored)
    const { body: list } = await server.call('GET', path('v2'))
    const seen = list.items.map((item: any) => [item.metadata.name, item.status.seen])
    expect(seen).toContainEqual(['untouched', -5])
    expect(seen).toContainEqual(['written', -1])
  })
})

test.each(['GET', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a %s of a scale that the definition does not have names the object',
  async (method) => {
    const { status, body } = await server.call(method, path('v1', 'a/scale'), { body: {} })
    expect([status, body.message]).toEqual([404, `gauges.${GROUP} "a" not found`])
    expect(body.details).toEqual({ name: 'a', group: GROUP, kind: 'gauges' })
  },
)
