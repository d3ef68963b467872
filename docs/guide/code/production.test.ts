import { killAtEachCall, OperatorTest } from '@homeostat/cluster/testing'
import { clusterRole, Manager, podOptions, silentLogger } from 'homeostat'
import { ConfigMap, Lease } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

test('a manager as it runs in a Pod', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const connection = { transport: test.transport, clock: test.clock, logger: silentLogger }
  const inPod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', HOMEOSTAT_POD_ADDRESS: '127.0.0.1' }
  const { leaderElection, health, metrics } = podOptions('greeting', inPod)
  expect(health).toEqual({ host: '127.0.0.1' })
  expect(metrics).toEqual({ host: '127.0.0.1' })
  const namespace = 'default'
  const manager = new Manager({ ...connection, leaderElection: { ...leaderElection!, namespace } })
  const stop = new AbortController()
  const running = manager.add(greeting).start({ signal: stop.signal })
  await manager.synced
  const lease = await test.client.getOrThrow(Lease, { namespace, name: 'greeting' })
  expect(lease.spec?.holderIdentity).toBeTruthy()
  stop.abort()
  await running
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
  const role = clusterRole('greeting', manager.add(greeting).rules())
  // #endregion
  expect(role.rules).toContainEqual({
    apiGroups: ['guide.example.com'],
    resources: ['greetings'],
    verbs: ['get', 'list', 'watch'],
  })
})
