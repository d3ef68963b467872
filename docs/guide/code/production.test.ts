import { killAtEachCall, OperatorTest, recordWrites } from '@homeostat/cluster/testing'
import { controller, Manager, podOptions, silentLogger, type Transport } from 'homeostat'
import { ConfigMap, Lease, Secret } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

test('in a Pod there is leader election and pages for probes and metrics, elsewhere nothing', () => {
  // #region pod
  expect(podOptions('greeting', { KUBERNETES_SERVICE_HOST: '10.96.0.1' })).toEqual({
    leaderElection: { name: 'greeting', releaseOnStop: true },
    health: { host: '0.0.0.0' },
    metrics: { host: '0.0.0.0' },
  })
  expect(podOptions('greeting', {})).toEqual({})
  // #endregion
})

/** Starts processes of the operator, which elect a leader. */
function replicas(test: OperatorTest) {
  const { client, clock } = test
  const namespace = 'default'
  const { leaderElection } = podOptions('greeting', { KUBERNETES_SERVICE_HOST: '10.96.0.1' })
  return {
    leader: async () => (await client.get(Lease, { namespace, name: 'greeting' }))?.spec?.holderIdentity,
    start: (identity: string) => {
      let renews = true
      const recorded = recordWrites(test.transport, (path) => !path.includes('/leases/'))
      const transport: Transport = {
        ...recorded.transport,
        send: (request) =>
          renews || !request.path.includes('/leases/')
            ? recorded.transport.send(request)
            : Promise.reject(new Error('the server does not answer')),
      }
      const election = { ...leaderElection!, namespace, identity }
      const manager = new Manager({ transport, clock, logger: silentLogger, leaderElection: election })
      const stop = new AbortController()
      const running = manager.add(greeting).start({ signal: stop.signal })
      running.catch(() => {})
      return {
        running,
        writes: recorded.writes,
        loseTouch: () => void (renews = false),
        async stop() {
          stop.abort()
          await test.settle()
          await running
        },
      }
    },
  }
}

test('one process works; another takes over when it stops, or loses touch', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const { start, leader } = replicas(test)
  const create = async (name: string) => {
    await test.client.create(Greeting, { metadata: { namespace: 'default', name }, spec: { name } })
    await test.settle()
  }
  // #region election
  const first = start('first')
  await test.settle()
  const second = start('second')
  await create('hello')
  expect(await leader()).toBe('first')
  expect([first.writes.length > 0, second.writes.length > 0]).toEqual([true, false])

  await first.stop()
  await test.advance('5s')
  expect(await leader()).toBe('second')
  // #endregion

  const before = second.writes.length
  // #region lost
  second.loseTouch()
  await test.advance('10s')
  await create('again')
  expect(second.writes.length).toBe(before)
  await expect(second.running).rejects.toMatchObject({ code: 'LEADER_ELECTION_LOST' })
  // #endregion
})

test('a second reconcile writes nothing, and a label of another client survives', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  const key = { namespace: 'default', name: 'hello' }
  // #region twice
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  const body = { metadata: { labels: { team: 'blue' } } }
  await test.client.patch(ConfigMap, key, { type: 'merge', body })
  await test.settle()
  test.writes()
  await test.restart()
  expect(test.writes()).toEqual([])
  expect((await test.client.getOrThrow(ConfigMap, key)).metadata.labels).toEqual({ team: 'blue' })
  // #endregion
})

test('killed at any of its calls, it ends in the same state', async () => {
  const key = { namespace: 'default', name: 'hello' }
  // #region kills
  const { calls, kills } = await killAtEachCall(
    { kinds: [Greeting], controllers: [greeting] },
    async (test) => {
      await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
      await test.settle()
      return (await test.client.getOrThrow(ConfigMap, key)).data
    },
  )
  expect(kills).toBe(2 * calls)
  // #endregion
})

test('the rules that it needs are printed from the controller', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const manager = new Manager({ transport: test.transport, clock: test.clock, logger: silentLogger })
  // #region rules
  expect(manager.add(greeting).rules()).toEqual([
    { apiGroups: ['guide.example.com'], resources: ['greetings'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['guide.example.com'], resources: ['greetings/finalizers'], verbs: ['update'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'patch'] },
    { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  ])
  // #endregion
  // #region reads
  const secretive = controller('secretive')
    .for(Greeting)
    .reads(Secret)
    .reconcile(() => {})
  expect(manager.add(secretive).rules()).toContainEqual({
    apiGroups: [''],
    resources: ['secrets'],
    verbs: ['get', 'list', 'watch'],
  })
  // #endregion
})
