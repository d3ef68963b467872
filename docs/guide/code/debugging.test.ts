import { OperatorTest } from '@homeostat/cluster/testing'
import { createLogger, customResourceDefinition, Manager, silentLogger, SystemClock } from 'homeostat'
import * as otel from '@opentelemetry/api'
import { ConfigMap, CustomResourceDefinition, Event } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

test('each reconcile says of what it was, and why it ran', async () => {
  const lines: string[] = []
  const logger = createLogger({
    format: 'json',
    write: (line) => void lines.push(line),
    clock: new SystemClock(),
  })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting], logger })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region logs
  await test.client.delete(ConfigMap, key)
  await test.settle()
  const reconciled = lines
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'successfully reconciled')
  expect(reconciled).toContainEqual(
    expect.objectContaining({
      controller: 'greeting',
      namespace: 'default',
      name: 'hello',
      reconcileID: expect.any(String),
      causes: 'ConfigMap default/hello was deleted',
    }),
  )
  // #endregion
})

test('the user is told by an event, and the same one again is counted', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region events
  await test.client.delete(ConfigMap, key)
  await test.advance('1m')
  const events = await test.client.list(Event, { namespace: 'default' })
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    type: 'Normal',
    reason: 'Greeted',
    note: 'world was greeted',
    regarding: { kind: 'Greeting', name: 'hello' },
    series: { count: expect.any(Number) },
  })
  // #endregion
})

test('a kind that is not there yet is waited for', async () => {
  await using test = await OperatorTest.start({ controllers: [] })
  const manager = new Manager({ transport: test.transport, clock: test.clock, logger: silentLogger })
  const stop = new AbortController()
  const running = manager.add(greeting).start({ signal: stop.signal })
  // #region missing
  await test.advance('1m')
  await test.client.create(CustomResourceDefinition, customResourceDefinition(Greeting))
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.advance('1m')
  expect(await test.client.get(ConfigMap, key)).toBeDefined()
  // #endregion
  stop.abort()
  await running
})

test('metrics have the names that dashboards know, and traces go where OpenTelemetry sends them', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const { transport, clock } = test
  // #region telemetry
  const manager = new Manager({ transport, clock, logger: silentLogger, tracing: otel }).add(greeting)
  // #endregion
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region metrics
  const page = manager.metrics.page()
  expect(page).toMatch(/^controller_runtime_reconcile_total\{controller="greeting",result="success"\} \d+$/m)
  expect(page).toMatch(/^workqueue_depth\{.*name="greeting".*\} 0$/m)
  // #endregion
  stop.abort()
  await running
})
