import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const GROUP = 'dry.homeostat.test'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call('POST', DEFINITIONS, {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `gadgets.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [
          version('v1', true, {
            both: { type: 'integer', default: 1 },
            one: { type: 'string', default: 'a' },
            late: { type: 'string', default: 'c' },
          }),
          version('v2', false, {
            both: { type: 'integer', default: 2 },
            two: { type: 'string', default: 'b' },
            late: { type: 'string' },
          }),
        ],
      },
    },
  })
  await server.until('both versions are served', async () => {
    const answers = [await create('v1', 'probe', {}), await create('v2', 'probe', {})]
    return answers.every(({ status }) => status === 201)
  })
})
afterAll(async () => {
  await server.call('DELETE', `${DEFINITIONS}/gadgets.${GROUP}`)
  await server.close()
})

function version(name: string, storage: boolean, properties: object): object {
  const part = { type: 'object', properties }
  return {
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: part, status: part } } },
  }
}

const path = (version: string, name = ''): string =>
  `/apis/${GROUP}/${version}/namespaces/${server.namespace}/gadgets${name && `/${name}`}`

const gadget = (version: string, name: string, spec: object): object => ({
  apiVersion: `${GROUP}/${version}`,
  kind: 'Gadget',
  metadata: { name },
  spec,
})

const create = (version: string, name: string, spec: object, query = '?dryRun=All') =>
  server.call('POST', `${path(version)}${query}`, { body: gadget(version, name, spec) })

describe('a dry run through a version that is not stored', () => {
  test('of a creation has what the stored version would keep, and its defaults', async () => {
    const { status, body } = await create('v2', 'dry', { two: 'x', both: 3 })
    expect({ status, spec: body.spec, apiVersion: body.apiVersion }).toEqual({
      status: 201,
      spec: { both: 3, late: 'c' },
      apiVersion: `${GROUP}/v2`,
    })
    expect((await create('v2', 'dry', {})).body.spec).toEqual({ both: 2, late: 'c' })
    expect((await create('v1', 'dry', {})).body.spec).toEqual({ both: 1, one: 'a', late: 'c' })
  })

  test('of a change answers as the change that is stored', async () => {
    expect((await create('v2', 'stored', { two: 'x', both: 3 }, '')).status).toBe(201)
    const at = path('v2', 'stored')
    const patch = { body: { spec: { two: 'y', both: 4 } } }
    const dry = await server.call('PATCH', `${at}?dryRun=All`, patch)
    expect(dry.body.spec).toEqual({ both: 4, late: 'c' })
    const wet = await server.call('PATCH', at, patch)
    expect(wet.body.spec).toEqual(dry.body.spec)
    const status = { body: { status: { two: 'y' } } }
    const dryStatus = await server.call('PATCH', `${at}/status?dryRun=All`, status)
    expect(dryStatus.body.status).toEqual({ both: 2, late: 'c' })
    const read = await server.call('GET', at)
    expect(read.body).toMatchObject({ spec: { both: 4, late: 'c' } })
    expect(read.body.status).toBeUndefined()
  })
})
