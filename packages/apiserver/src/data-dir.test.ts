import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiServer } from './server.ts'
import type { DataLoss } from './storage/index.ts'
import { callJson, watchJson, type JsonAnswer } from './testing/index.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
let dataDir: string
let clock: SimulatedClock

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'homeostat-data-'))
  clock = new SimulatedClock()
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function create(server: ApiServer, name: string, data: object = {}): Promise<JsonAnswer> {
  return callJson(server.handler, 'POST', CONFIG_MAPS, { body: { metadata: { name }, data } })
}

test('S21: a server that is started again on its folder has its objects and its kinds', async () => {
  const first = await ApiServer.start({ dataDir, clock })
  const { body } = await create(first, 'a', { text: 'kept' })
  await callJson(first.handler, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: DEFINITION,
  })
  const widget = { apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name: 'w' } }
  const made = await callJson(first.handler, 'POST', '/apis/test.dev/v1/widgets', { body: widget })
  expect(made.code).toBe(201)
  const { revision } = first.registry.store
  await first.close()
  await using second = await ApiServer.start({ dataDir, clock })
  expect(second.registry.store.revision).toBe(revision)
  expect((await callJson(second.handler, 'GET', `${CONFIG_MAPS}/a`)).body).toEqual(body)
  expect((await callJson(second.handler, 'GET', '/apis/test.dev/v1/widgets/w')).body).toEqual(made.body)
})

test('S22: watches and pages from before a restart are told to list again', async () => {
  const first = await ApiServer.start({ dataDir, clock })
  for (const name of ['a', 'b', 'c']) await create(first, name)
  const page = await callJson(first.handler, 'GET', `${CONFIG_MAPS}?limit=1`)
  await create(first, 'd')
  await first.close()
  await using second = await ApiServer.start({ dataDir, clock })
  const { resourceVersion, continue: token } = page.body.metadata
  const watch = await watchJson(
    second.handler,
    `${CONFIG_MAPS}?watch=true&resourceVersion=${resourceVersion}`,
  )
  await clock.settle()
  expect(watch.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }])
  const next = await callJson(second.handler, 'GET', `${CONFIG_MAPS}?limit=1&continue=${token}`)
  expect(next).toMatchObject({ code: 410, body: { reason: 'Expired', metadata: { continue: /./ } } })
})

test('S25: a damaged folder is refused, and started with what can be read where the loss is accepted', async () => {
  const first = await ApiServer.start({ dataDir, clock })
  await create(first, 'a')
  const { revision } = first.registry.store
  await first.close()
  truncateSync(join(dataDir, 'store.db'), 0)
  await expect(ApiServer.start({ dataDir, clock })).rejects.toMatchObject({
    code: 'STORE_INCOMPLETE',
    message: expect.stringContaining(`the file is empty, though revision ${revision} was acknowledged`),
  })
  const losses: DataLoss[] = []
  await using second = await ApiServer.start({ dataDir, clock, acceptDataLoss: (loss) => losses.push(loss) })
  expect(losses).toMatchObject([{ objects: 0, acknowledgedRevision: revision }])
  const { body } = await callJson(second.handler, 'GET', CONFIG_MAPS)
  expect(body.items).toEqual([])
  expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(revision)
})

test('S25: two servers cannot have one folder', async () => {
  await using _first = await ApiServer.start({ dataDir, clock })
  await expect(ApiServer.start({ dataDir, clock })).rejects.toMatchObject({ code: 'STORE_IN_USE' })
})

test('a failed start releases the folder, so that it can be retried', async () => {
  // Any part of a start may fail: here it is the clock.
  const broken = new SimulatedClock()
  broken.now = () => {
    throw new Error('no time')
  }
  await expect(ApiServer.start({ dataDir, clock: broken })).rejects.toThrow('no time')
  await using server = await ApiServer.start({ dataDir, clock })
  expect((await create(server, 'a')).code).toBe(201)
})

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.dev' },
  spec: {
    group: 'test.dev',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}
