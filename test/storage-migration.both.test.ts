import { defineKind, schema as s } from '@homeostat/api'
import {
  createLogger,
  customResourceDefinition,
  Manager,
  recordRules,
  storageMigration,
  type RecordingTransport,
  type Transport,
} from 'homeostat'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const names = { group: 'migration.homeostat.dev', kind: 'Record' } as const
const spec = s.object({ text: s.string().optional() })
const RecordV1 = defineKind({ ...names, version: 'v1', spec })
const RecordV2 = defineKind({ ...names, version: 'v2', spec })
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DEFINITION = `${DEFINITIONS}/records.migration.homeostat.dev`
const COUNT = 25

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterEach(() => server.call('DELETE', DEFINITION))
afterAll(() => server.close())

function records(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', name = '', body?: object) {
  const path = `/apis/migration.homeostat.dev/v1/namespaces/${server.namespace}/records${name && `/${name}`}`
  return server.call(method, path, body ? { body } : {})
}

async function versions(): Promise<Map<string, string>> {
  // A server that takes up a changed definition does not serve the kind for a moment.
  const body = await server.until('a list', async () => {
    const answer = await records('GET')
    return answer.status === 200 && answer.body
  })
  return new Map(body.items.map((item: any) => [item.metadata.name, item.metadata.resourceVersion]))
}

async function definition(): Promise<any> {
  return (await server.call('GET', DEFINITION)).body
}

/** Objects that are stored in v1, of a kind that stores v2 from now on. */
async function setUp(): Promise<void> {
  await server.until('the definition of the test before is gone', async () => {
    const body = customResourceDefinition([RecordV2, RecordV1], { stored: 'v1' })
    return (await server.call('POST', DEFINITIONS, { body })).status === 201
  })
  await server.until('serving records', async () => (await records('GET')).status === 200)
  for (let index = 0; index < COUNT; index++) {
    const body = {
      apiVersion: 'migration.homeostat.dev/v1',
      kind: 'Record',
      metadata: { name: `record-${index}` },
      spec: { text: 'a' },
    }
    expect((await records('POST', '', body)).status).toBe(201)
  }
  const changed = customResourceDefinition([RecordV1, RecordV2], { stored: 'v2' })
  const patched = await server.call('PATCH', DEFINITION, { body: { spec: changed.spec } })
  expect(patched.status).toBe(200)
  await server.until('both versions are stored', async () => {
    const { status } = await definition()
    return JSON.stringify(status.storedVersions) === '["v1","v2"]'
  })
}

/** An operator that migrates. */
function start(transport: Transport, perSecond = 1000) {
  const stop = new AbortController()
  const lines: string[] = []
  const { clock } = server
  const logger = createLogger({ clock, format: 'text', write: (line) => lines.push(line) })
  const manager = new Manager({ clock, transport, logger })
  const migration = storageMigration([RecordV2], { pageSize: 10, perSecond })
  manager.addRunnable('storage-migration', migration.run, migration.options)
  const running = manager.start({ signal: stop.signal })
  const end = async (): Promise<void> => {
    stop.abort()
    await running
  }
  return { manager, lines, end }
}

const isDone = async (): Promise<boolean> =>
  JSON.stringify((await definition()).status.storedVersions) === '["v2"]'

it('rewrites every object once, drops the old version, and needs no more rights than it declares', async () => {
  await setUp()
  const before = await versions()
  const recorded: RecordingTransport = recordRules(server.transport)
  const { end, manager, lines } = start(recorded)
  await server.until('the old version is dropped', isDone)
  await end()
  const after = await versions()
  expect([...after].filter(([name, version]) => before.get(name) === version)).toEqual([])
  expect((await definition()).metadata.annotations ?? {}).not.toHaveProperty(
    'homeostat.dev/storage-migration',
  )
  expect(manager.metrics.page()).toContain(
    `homeostat_storage_migration_objects_total{resource="records.migration.homeostat.dev",result="migrated"} ${COUNT}`,
  )
  expect(lines.join('')).toContain('all stored objects are migrated')
  const declared = manager.rules('controllers')
  for (const { apiGroups, resources, verbs } of recorded.rules()) {
    for (const resource of resources) {
      const allowed = declared
        .filter((rule) => rule.apiGroups[0] === apiGroups[0] && rule.resources.includes(resource))
        .flatMap((rule) => rule.verbs)
      expect(allowed, `${verbs.join(', ')} of ${resource}`).toEqual(expect.arrayContaining(verbs))
    }
  }
  // A second migration finds nothing to do.
  const again = start(server.transport)
  await server.until('it has looked', () =>
    Promise.resolve(again.lines.some((line) => line.includes('starts'))),
  )
  await again.end()
  expect(await versions()).toEqual(after)
})

it('carries on after a restart, and leaves alone what was rewritten before', async () => {
  await setUp()
  const before = await versions()
  let allowed = 12
  const dying: Transport = {
    ...server.transport,
    send(request) {
      if (request.method === 'PATCH' && request.path.includes('/records/') && allowed-- <= 0)
        return Promise.reject(new Error('the process was killed'))
      return server.transport.send(request)
    },
  }
  const first = start(dying)
  await server.until('the first process fails', () =>
    Promise.resolve(first.lines.some((line) => line.includes('will be retried'))),
  )
  await first.end()
  const between = await versions()
  expect([...between].filter(([name, version]) => before.get(name) !== version)).toHaveLength(12)
  expect(await isDone()).toBe(false)
  const second = start(server.transport)
  await server.until('the old version is dropped', isDone)
  await second.end()
  const after = await versions()
  expect([...after].filter(([name, version]) => between.get(name) === version)).toHaveLength(12)
  expect(second.manager.metrics.page()).toMatch(/result="migrated"\} 13\n/)
})

it('objects that are changed or deleted while it runs need nothing more', async () => {
  await setUp()
  let isFirst = true
  const racing: Transport = {
    ...server.transport,
    async send(request) {
      if (request.method === 'PATCH' && request.path.includes('/records/') && isFirst) {
        isFirst = false
        for (let index = 0; index < COUNT; index += 5) await records('DELETE', `record-${index}`)
        for (let index = 1; index < COUNT; index += 5)
          await records('PATCH', `record-${index}`, { spec: { text: 'b' } })
      }
      return server.transport.send(request)
    },
  }
  const { end } = start(racing)
  await server.until('the old version is dropped', isDone)
  await end()
  const { body } = await records('GET')
  expect(body.items).toHaveLength(COUNT - 5)
  expect(body.items.filter((item: any) => item.spec.text === 'b')).toHaveLength(5)
})

it('keeps the old version where an object cannot be rewritten, and names it', async () => {
  await setUp()
  const refusing: Transport = {
    ...server.transport,
    async send(request) {
      if (request.method !== 'PATCH' || !request.path.endsWith('/records/record-7'))
        return server.transport.send(request)
      // The server refuses it as it would refuse an object that its schema no longer allows.
      const body = new TextEncoder().encode(JSON.stringify({ spec: { text: 7 } }))
      return server.transport.send({ ...request, body })
    },
  }
  const { end, lines } = start(refusing)
  await server.until('the error', () => Promise.resolve(lines.some((line) => line.includes('record-7'))))
  await end()
  expect((await definition()).status.storedVersions).toEqual(['v1', 'v2'])
  expect(lines.join('')).toContain('1 objects of records.migration.homeostat.dev could not be rewritten')
})
