import { defineKind, schema as s, type ApiRequest } from '@homeostat/api'
import { controller, operator as operatorOf, type Transport } from 'homeostat'
import { ConfigMap, Lease, Secret } from '@homeostat/api/kinds'
import { expect, test } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const key = { namespace: 'default', name: 'a' }

/** Copies the data of ConfigMaps into Secrets. */
const copier = controller('copier')
  .for(ConfigMap)
  .owns(Secret)
  .writes(Secret, 'apply')
  .reconcile(async (request, { client }) => {
    const source = await client.get(ConfigMap, request)
    if (source) await client.apply(Secret, { metadata: request, data: { copied: 'eWVz' } })
  })

/** The same, but it writes whether there is something to write or not. */
const restless = controller('restless')
  .for(ConfigMap)
  .writes(ConfigMap, 'patch')
  .reconcile(async (request, { client }) => {
    const source = await client.get(ConfigMap, request)
    const patch = { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } } as const
    if (source) await client.patch(ConfigMap, request, patch)
  })

test('expectNoWrites passes for an operator that has nothing to do', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  expect(operator.writes()).toContain('patch secrets default/a')
  await operator.expectNoWrites()
  await operator.expectNoWrites(() => operator.advance('24h'))
})

test('an operator that writes without need is reported with its writes; the test’s own writes do not count', async () => {
  await using operator = await OperatorTest.start({ controllers: [restless] })
  await operator.client.create(ConfigMap, { metadata: key })
  await expect(operator.expectNoWrites()).rejects.toThrow(
    /expected that the operator writes nothing, but it sent:\n(?:.*\n)* {2}patch configmaps default\/a/,
  )
  await expect(
    operator.expectNoWrites(() =>
      operator.client.patch(ConfigMap, key, { type: 'merge', body: { data: { a: '1' } } }),
    ),
  ).rejects.toThrow('patch configmaps default/a')
})

test('an unexpected write is reported with the reconcile that sent it, and its causes', async () => {
  await using operator = await OperatorTest.start({ controllers: [restless] })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  const label = { type: 'merge', body: { metadata: { labels: { seen: 'no' } } } } as const
  await expect(operator.expectNoWrites(() => operator.client.patch(ConfigMap, key, label))).rejects.toThrow(
    '  patch configmaps default/a\n    by the controller restless, which reconciled default/a: ConfigMap default/a was updated (labels)\n    it changed metadata.labels.seen',
  )
})

test('an unexpected write that changed nothing, or that the server refused, is reported as such', async () => {
  await using operator = await OperatorTest.start({ controllers: [restless] })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  await expect(operator.expectNoWrites()).rejects.toThrow(
    /patch configmaps default\/a\n {4}by the controller restless, .*\n {4}it changed nothing/,
  )
  operator.faults.failWrite({ kind: ConfigMap, code: 422 })
  const label = { type: 'merge', body: { metadata: { labels: { seen: 'no' } } } } as const
  await expect(operator.expectNoWrites(() => operator.client.patch(ConfigMap, key, label))).rejects.toThrow(
    /patch configmaps default\/a\n.*\n {4}the server refused it with \d+/,
  )
})

test('an unexpected event is reported with its reason, its text and its object', async () => {
  const speaking = controller('speaking')
    .for(ConfigMap)
    .reconcile(async (request, { client, events }) => {
      const source = await client.get(ConfigMap, request)
      if (source?.data?.['speak']) events.warning(source, 'Spoke', 'more than it should')
    })
  await using operator = await OperatorTest.start({ controllers: [speaking] })
  const create = () => operator.client.create(ConfigMap, { metadata: key, data: { speak: 'yes' } })
  await expect(operator.expectNoWrites(create)).rejects.toThrow(
    /create events default \(Warning Spoke about the ConfigMap default\/a: "more than it should"\)\n {4}by speaking/,
  )
})

test('a crash loses what is under way, and a new process carries on', async () => {
  let crashing: Promise<void> | undefined
  await using operator = await OperatorTest.start({
    controllers: [copier],
    transport: (inner, test) => ({
      ...inner,
      send(request) {
        if (request.path.endsWith('/secrets/a')) crashing ??= test.crash()
        return inner.send(request)
      },
    }),
  })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  await crashing
  expect(crashing).toBeDefined()
  expect(operator.writes().filter((write) => write === 'patch secrets default/a')).toHaveLength(1)
  expect(await operator.client.get(Secret, key)).toBeDefined()
})

test('a transport of the test may be an instance of a class', async () => {
  class Counting implements Transport {
    readonly #inner: Transport
    sent = 0
    constructor(inner: Transport) {
      this.#inner = inner
    }
    get server() {
      return this.#inner.server
    }
    get inProcess() {
      return this.#inner.inProcess
    }
    get memory() {
      return this.#inner.memory
    }
    send(request: ApiRequest) {
      this.sent++
      return this.#inner.send(request)
    }
    close() {
      return this.#inner.close()
    }
    [Symbol.asyncDispose]() {
      return this.close()
    }
  }
  const transports: Counting[] = []
  {
    await using operator = await OperatorTest.start({
      controllers: [copier],
      transport: (inner) => {
        const counting = new Counting(inner)
        transports.push(counting)
        return counting
      },
    })
    await operator.client.create(ConfigMap, { metadata: key })
    await operator.settle()
    expect(await operator.client.get(Secret, key)).toBeDefined()
  }
  expect(transports.map(({ sent }) => sent > 0)).toEqual([true])
})

/** Keeps the objects that it has seen in memory. */
function remembering(log: string[]) {
  return () => {
    const seen = new Set<string>()
    return [
      controller('remembering')
        .for(ConfigMap)
        .reconcile(({ name }) => {
          if (name !== 'a') return
          log.push(seen.has(name) ? 'known' : 'new')
          seen.add(name)
        }),
    ]
  }
}

test.each(['restart', 'crash'] as const)('%s loses what controllers kept in memory', async (again) => {
  const log: string[] = []
  await using operator = await OperatorTest.start({ controllers: remembering(log) })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  await operator.client.patch(ConfigMap, key, { type: 'merge', body: { data: { a: '1' } } })
  await operator.settle()
  await operator[again]()
  await operator.settle()
  expect(log).toEqual(['new', 'known', 'new'])
})

test.each(['stop', 'kill'] as const)('%s takes the operator down until it is started', async (end) => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await expect(operator.start()).rejects.toThrow('the operator is already running')
  await operator[end]()
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.advance('1h')
  expect(operator.writes()).toEqual([])
  await operator.start()
  expect(operator.writes()).toContain('patch secrets default/a')
})

test('settle fails once with the error that ended the manager, and closing does not repeat it', async () => {
  const operator = await OperatorTest.start({
    controllers: [copier],
    manager: { leaderElection: { name: 'operator', namespace: 'default' } },
  })
  await operator.client.deleteAllOf(Lease, { namespace: 'default' })
  const holder = {
    holderIdentity: 'another',
    leaseDurationSeconds: 3600,
    renewTime: '2026-01-01T12:00:00.000000Z',
  }
  await operator.client.create(Lease, { metadata: { namespace: 'default', name: 'operator' }, spec: holder })
  await expect(operator.advance('1m')).rejects.toMatchObject({ code: 'LEADER_ELECTION_LOST' })
  await expect(operator.close()).resolves.toBeUndefined()
})

test('a kind that is not served is named, instead of waited for', async () => {
  const Missing = defineKind({
    group: 'test.homeostat.dev',
    version: 'v1',
    kind: 'Missing',
    spec: s.object({}),
  })
  const waiting = controller('waiting')
    .for(Missing)
    .reconcile(() => {})
  const without = operatorOf('waiting', { kinds: [], controllers: [waiting] })
  await expect(OperatorTest.start(without)).rejects.toThrow(
    /the operator still waits for its first lists[^]*Missing: [^]*Name the operator's own kinds/,
  )
})

test('a crash with leader election does not wait for the Lease, which takes time', async () => {
  await using operator = await OperatorTest.start({
    controllers: [copier],
    manager: { leaderElection: { name: 'operator', namespace: 'default' } },
  })
  await operator.crash()
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  expect(await operator.client.get(Secret, key)).toBeUndefined()
  await operator.advance('1m')
  expect(await operator.client.get(Secret, key)).toBeDefined()
})

test('the garbage collector deletes objects that have lost their owner, where the test starts it', async () => {
  for (const garbageCollector of [true, false]) {
    await using operator = await OperatorTest.start({ controllers: [], garbageCollector })
    const owner = await operator.client.create(ConfigMap, { metadata: key })
    const ownerReferences = [
      { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: owner.metadata.uid, controller: true },
    ]
    await operator.client.create(Secret, { metadata: { ...key, ownerReferences } })
    await operator.settle()
    await operator.client.delete(ConfigMap, key)
    await operator.settle()
    expect((await operator.client.get(Secret, key)) === undefined).toBe(garbageCollector)
    expect(operator.writes()).toEqual([])
  }
})
