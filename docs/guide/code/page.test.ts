import { ApiServer } from '@homeostat/apiserver'
import { Dashboard, operatorPage } from '@homeostat/dashboard'
import {
  Activity,
  createClient,
  customResourceDefinition,
  directTransport,
  Manager,
  operator,
  operatorManager,
  silentLogger,
  SystemClock,
} from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

test('a page shows what a manager does', async () => {
  const clock = new SystemClock()
  await using server = await ApiServer.start({ clock })
  const transport = directTransport(server.handler, { clock })
  const client = createClient({ transport, clock })
  await client.create(CustomResourceDefinition, customResourceDefinition(Greeting))
  const logger = silentLogger
  const stop = new AbortController()
  // #region page
  const activity = new Activity()
  const manager = new Manager({ transport, clock, logger, activity }).add(greeting)
  await using page = await Dashboard.start({ transport, clock })
  page.operatorStarted({
    name: 'greetings',
    kinds: [{ apiVersion: 'guide.example.com/v1', kind: 'Greeting' }],
    owned: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
    controllers: ['greeting'],
  })
  using _ = page.follow(activity)
  expect(page.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/)
  // #endregion
  const running = manager.start({ signal: stop.signal })
  const key = { namespace: 'default', name: 'hello' }
  await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await expect
    .poll(() => activity.events())
    .toContainEqual(
      expect.objectContaining({
        type: 'ended',
        request: key,
        writes: [expect.objectContaining({ kind: 'ConfigMap' })],
      }),
    )
  stop.abort()
  await running
})

test('an operator in production has a page', () => {
  // #region production
  const greetings = operator('greetings', {
    controllers: [greeting],
    manager: { page: operatorPage() },
  })
  // #endregion
  expect(operatorManager(greetings).rules()).toContainEqual({
    apiGroups: ['authentication.k8s.io'],
    resources: ['tokenreviews'],
    verbs: ['create'],
  })
})
