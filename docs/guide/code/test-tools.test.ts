import { Cluster } from '@homeostat/cluster'
import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, SimulatedClock, type Client } from 'homeostat'
import { ConfigMap, Pod } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const HALF_A_DAY = 12 * 3_600_000

/** Tells twice a day what time of the day it is. */
const morning = controller('morning')
  .for(Greeting)
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    if (!(await client.get(Greeting, request))) return {}
    const now = clock.now()
    const text = new Date(now).getUTCHours() < 12 ? 'Good morning!' : 'Good day!'
    await client.status.apply(Greeting, request, { text })
    return { requeueAfter: HALF_A_DAY - (now % HALF_A_DAY) }
  })

test('what else there is for a test', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [morning] })
  const key = { namespace: 'default', name: 'hello' }
  // #region tools
  const wrong = test.client.create(Greeting, { metadata: key, spec: { name: 'world', times: 0 } })
  await expect(wrong).rejects.toThrow('spec.times')

  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.crash()
  await test.settle()
  expect(test.writes()).toEqual(['patch greetings/status default/hello'])

  await test.expectNoWrites()
  await expect(test.expectNoWrites(() => test.advance('12h'))).rejects.toThrow(
    'patch greetings/status default/hello',
  )
  // #endregion
})

test('a right that is not declared is told with the line to add', async () => {
  const key = { namespace: 'default', name: 'hello' }
  // #region rights
  const forgetful = controller('forgetful')
    .for(Greeting)
    .writes(Greeting, 'status.apply')
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (greeting) await client.create(ConfigMap, { metadata: request })
    })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [forgetful] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await expect(test.settle()).rejects.toThrow(
    [
      '  the controller forgetful: POST /api/v1/namespaces/default/configmaps',
      "    add .writes(ConfigMap, 'create')",
    ].join('\n'),
  )
  // #endregion
})

test('what may go wrong between the operator and the server', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: () => [morning] })
  const key = { namespace: 'default', name: 'hello' }
  const late = { namespace: 'default', name: 'late' }
  const text = async (of: typeof key) => (await test.client.getOrThrow(Greeting, of)).status?.text
  // #region faults
  const fault = test.faults.failWrite({ kind: Greeting, code: 500 })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(fault.happened).toBe(true)
  expect(await text(key)).toBeUndefined()
  await test.advance('1s')
  expect(await text(key)).toBe('Good day!')

  const hold = test.faults.holdWatch(Greeting)
  await test.client.create(Greeting, { metadata: late, spec: { name: 'world' } })
  await test.settle()
  expect(await text(late)).toBeUndefined()
  hold.release()
  await test.settle()
  expect(await text(late)).toBe('Good day!')

  await test.stop()
  await test.advance('12h')
  expect(await text(late)).toBe('Good day!')
  await test.start()
  expect(await text(late)).toBe('Good morning!')
  // #endregion
})

test('Pods run in a whole cluster, under the same clock', async () => {
  const pod = {
    metadata: { namespace: 'default', name: 'hello' },
    spec: {
      restartPolicy: 'Never' as const,
      containers: [{ name: 'hello', image: 'busybox', command: ['echo', 'hello'] }],
    },
  }
  const phase = async (client: Client) => (await client.getOrThrow(Pod, pod.metadata)).status?.phase
  // #region pods
  await using test = await OperatorTest.start({ controllers: [] })
  await test.client.create(Pod, pod)
  await test.advance('1h')
  expect(await phase(test.client)).toBe('Pending')

  const clock = new SimulatedClock()
  await using cluster = await Cluster.start({ clock, port: false })
  await cluster.client.create(Pod, pod)
  await clock.advance('1m')
  expect(await phase(cluster.client)).toBe('Succeeded')
  // #endregion
})
