import { defineKind, schema as s, type AnyKind } from '@homeostat/api'
import {
  controller,
  createOrUpdate,
  Manager,
  metadataOnly,
  silentLogger,
  type Controller,
  type ReconcileReport,
  type Transport,
} from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const Copy = defineKind({
  group: 'informers.homeostat.test',
  version: 'v1',
  kind: 'Copy',
  plural: 'copies',
  spec: s.object({ source: s.string() }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Copy] })
})
afterAll(() => server.close())

/** Notes each watch that is started: which resource, and whether of whole objects. */
function noting(transport: Transport, watches: string[]): Transport {
  return {
    ...transport,
    send(request) {
      if (request.query.has('watch')) {
        const whole = !request.headers['accept']?.includes('PartialObjectMetadata')
        watches.push(`${request.path.split('/').at(-1)}${whole ? '' : ' (metadata)'}`)
      }
      return transport.send(request)
    },
  }
}

async function running(value: Controller, act: (told: Told) => Promise<void>): Promise<void> {
  const { clock, namespace } = server
  const told: Told = { watches: [], reports: [] }
  const stop = new AbortController()
  const manager = new Manager({
    transport: noting(server.transport, told.watches),
    clock,
    logger: silentLogger,
    cache: { namespaces: [namespace] },
    onReconcile: (report) => told.reports.push(report),
  }).add(value)
  const ended = manager.start({ signal: stop.signal })
  try {
    await manager.synced
    await act(told)
  } finally {
    stop.abort()
    await ended
  }
}

interface Told {
  readonly watches: string[]
  readonly reports: ReconcileReport[]
}

const of = (name: string) => ({ namespace: server.namespace, name })

test('a watch of metadata and applies of the same kind start no informer of whole objects', async () => {
  const copier = controller('copier')
    .for(Copy)
    .watches(metadataOnly(Secret), ({ metadata: { namespace, name } }) => ({ namespace, name }))
    .reconcile(async ({ namespace, name }, { client }) => {
      const copy = await client.get(Copy, { namespace, name })
      if (!copy) return
      const source = await client.live.get(Secret, { namespace, name: copy.spec.source })
      if (source) await client.apply(Secret, { metadata: { namespace, name }, data: { ...source.data } })
    })
  await server.client.create(Secret, { metadata: of('source'), data: { a: 'MQ==' } })
  await running(copier, async ({ watches, reports }) => {
    await server.client.create(Copy, { metadata: of('copied'), spec: { source: 'source' } })
    await server.until('the copy', () => server.client.get(Secret, of('copied')))
    const before = server.writes.length
    // The copy calls the controller again, which finds nothing to do.
    await server.until('a second reconcile', async () => {
      return reports.filter(({ request }) => request.name === 'copied').length >= 2
    })
    expect(server.writes.slice(before).filter((write) => write.startsWith('PATCH'))).toEqual([])
    await server.client.patch(Secret, of('copied'), { type: 'merge', body: { data: { a: 'Mg==' } } })
    await server.until('its healing', async () => {
      return (await server.client.get(Secret, of('copied')))?.data?.['a'] === 'MQ=='
    })
    expect(new Set(watches)).toEqual(new Set(['copies', 'secrets (metadata)']))
  })
})

test('a read of whole objects beside a watch of metadata starts their informer', async () => {
  const reading = controller('reading')
    .for(Copy)
    .watches(metadataOnly(ConfigMap), () => undefined)
    .reconcile(async (request, { client }) => {
      await createOrUpdate(client, ConfigMap, request, (draft) => {
        draft.data = { read: 'yes' }
      })
    })
  await running(reading, async ({ watches }) => {
    await server.client.create(Copy, { metadata: of('reads'), spec: { source: 'x' } })
    await server.until('the ConfigMap', () => server.client.get(ConfigMap, of('reads')))
    expect(new Set(watches)).toEqual(new Set(['copies', 'configmaps (metadata)', 'configmaps']))
  })
})

test('an index that a controller declares finds objects in mappings and in the reconcile', async () => {
  const found: Record<string, string[]> = {}
  const indexed = controller('indexed')
    .for(Copy)
    .indexes(Copy, { source: ({ spec }) => spec.source })
    .watches(ConfigMap, async ({ metadata: { namespace, name } }, { client }) => {
      const copies = await client.list(Copy, { namespace, fields: { source: name } })
      return copies.map(({ metadata }) => ({ namespace, name: metadata.name }))
    })
    .reconcile(async ({ namespace, name }, { client }) => {
      const copies = await client.list(Copy, { namespace, fields: { source: 'shared' } })
      found[name] = copies.map(({ metadata }) => metadata.name)
    })
  for (const name of ['one', 'two']) {
    await server.client.create(Copy, { metadata: of(name), spec: { source: 'shared' } })
  }
  await running(indexed, async ({ reports }) => {
    await server.until('both', async () => 'one' in found && 'two' in found)
    expect(found).toMatchObject({ one: ['one', 'two'], two: ['one', 'two'] })
    reports.length = 0
    await server.client.create(ConfigMap, { metadata: of('shared') })
    await server.until('the requests of the mapping', async () => {
      return reports.length >= 2 && reports.every(({ request }) => ['one', 'two'].includes(request.name))
    })
  })
})

test('an index counts as a read of its kind', () => {
  const value = controller('rights')
    .for(Copy)
    .indexes(Secret, { type: ({ type }) => type })
    .reconcile(async () => {})
  const kinds: AnyKind[] = value.access.map(({ kind }) => kind)
  expect(kinds).toEqual([Secret])
})

test('an index of a name that stands for another function is refused', async () => {
  const first = controller('first')
    .for(Copy)
    .indexes(Copy, { source: ({ spec }) => spec.source })
    .reconcile(async () => {})
  const second = controller('second')
    .for(Copy)
    .indexes(Copy, { source: ({ metadata }) => metadata.name })
    .reconcile(async () => {})
  const manager = new Manager({ transport: server.transport, clock: server.clock, logger: silentLogger })
  await expect(manager.add(first, second).start()).rejects.toMatchObject({ code: 'CACHE_INDEX_TAKEN' })
})
