import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  setControllerReference,
  createLogger,
  createOrUpdate,
  customResourceDefinition,
  Manager,
  ownerReference,
  silentLogger,
} from 'homeostat'
import * as otel from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { ConfigMap, CustomResourceDefinition, Event } from 'homeostat/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }

/** A logger, and the lines that it wrote. */
function logged() {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { lines, logger: createLogger({ format: 'json', write }) }
}

test('each reconcile says of what it was, and why it ran', async () => {
  const { logger, lines } = logged()
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting], logger })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  lines.splice(0)
  // #region logs
  await test.client.delete(ConfigMap, key)
  await test.settle()
  const [greeted, reconciled] = lines.map((line) => JSON.parse(line))
  const about = { controller: 'greeting', namespace: 'default', name: 'hello' }
  expect(greeted).toMatchObject({ ...about, message: 'greeted', to: 'world' })
  expect(reconciled).toMatchObject({
    ...about,
    message: 'successfully reconciled',
    reconcileID: greeted.reconcileID,
    causes: 'ConfigMap default/hello was deleted',
  })
  // #endregion
})

test('a reconcile that failed says what follows', async () => {
  const { logger, lines } = logged()
  const failing = controller('failing')
    .for(Greeting)
    .reconcile(() => {
      throw new Error('no words')
    })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [failing], logger })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region failed
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    level: 'error',
    message: 'reconcile failed',
    causes: 'Greeting default/hello was created',
    retryIn: 1_000,
  })
  // #endregion
})

test('a field that another manager changes again and again is reported', async () => {
  const { logger, lines } = logged()
  const stubborn = controller('stubborn')
    .for(Greeting)
    .owns(ConfigMap)
    .writes(ConfigMap, 'createOrUpdate')
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (!greeting) return
      await createOrUpdate(client, ConfigMap, request, (configMap) => {
        setControllerReference(greeting, configMap)
        configMap.data = { text: `Hello, ${greeting.spec.name}!` }
      })
    })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [stubborn], logger })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region loop
  for (let times = 0; times < 4; times++) {
    const body = { data: { text: 'Goodbye!' } }
    await test.client.patch(ConfigMap, key, { type: 'merge', body }, { fieldManager: 'a-tool' })
    await test.settle()
  }
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
  expect(warnings).toMatchObject([
    {
      message: expect.stringContaining('Leave the field out of what stubborn writes, or stop a-tool'),
      kind: 'ConfigMap',
      fields: ['data.text'],
      manager: 'stubborn',
      otherManager: 'a-tool',
      times: 4,
    },
  ])
  // #endregion
})

test('a child without a controller reference causes no reconcile', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  const owner = await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  const calls = test.reports.length
  // #region no-controller-reference
  const children = { plain: [], owned: [ownerReference(owner)] }
  for (const [name, ownerReferences] of Object.entries(children)) {
    await test.client.create(ConfigMap, { metadata: { ...key, name, ownerReferences } })
  }
  await test.settle()
  expect(test.reports.length).toBe(calls)
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
  const exporter = new InMemorySpanExporter()
  otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  otel.trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  onTestFinished(() => {
    otel.trace.disable()
    otel.context.disable()
  })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const { transport, clock } = test
  // #region telemetry
  const manager = new Manager({ transport, clock, logger: silentLogger, tracing: otel }).add(greeting)
  // #endregion
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  await test.settle()
  exporter.reset()
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  // #region trace
  const spans = exporter.getFinishedSpans()
  const patch = spans.find(({ name }) => name.startsWith('PATCH'))
  const trace = spans.filter((span) => span.spanContext().traceId === patch?.spanContext().traceId)
  expect(trace.map(({ name }) => name)).toEqual([
    'event greeting',
    'queue greeting',
    'PATCH /api/v1/namespaces/default/configmaps/hello',
    'reconcile greeting',
    'POST /apis/events.k8s.io/v1/namespaces/default/events',
  ])
  expect(trace[3]?.attributes['homeostat.causes']).toBe('Greeting default/hello was created')
  // #endregion
  // #region metrics
  const page = manager.metrics.page()
  expect(page).toMatch(/^controller_runtime_reconcile_total\{controller="greeting",result="success"\} \d+$/m)
  expect(page).toMatch(/^workqueue_depth\{.*name="greeting".*\} 0$/m)
  // #endregion
  stop.abort()
  await running
})
