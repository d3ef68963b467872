import { OperatorTest } from '@homeostat/cluster/testing'
import { clusterRole, controller, controllerReference, Manager, silentLogger } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

// #region controller
const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client, log, events }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    await client.apply(ConfigMap, {
      metadata: { ...request, ownerReferences: [controllerReference(greeting, Greeting)] },
      data: { text: `Hello, ${greeting.spec.name}!` },
    })
    log.info({ to: greeting.spec.name }, 'greeted')
    events.normal(greeting, 'Greeted', `${greeting.spec.name} was greeted`)
  })
// #endregion

test('a manager as it runs in a cluster', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const { transport, clock } = test
  // #region manager
  const manager = new Manager({
    transport,
    clock,
    logger: silentLogger,
    leaderElection: { name: 'greeting', namespace: 'default' },
  }).add(greeting)
  // #endregion
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  await test.settle()
  stop.abort()
  await running
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
