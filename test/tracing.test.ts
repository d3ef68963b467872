import * as otel from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  controller,
  createClient,
  directTransport,
  Manager,
  silentLogger,
  type Client,
  type ControllerOptions,
  type ReconcileContext,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, test } from 'vitest'

const exporter = new InMemorySpanExporter()
let env: TestEnvironment
let client: Client
let end: () => Promise<void>

beforeEach(async () => {
  otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  otel.trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  env = await TestEnvironment.start()
  client = createClient({ transport: directTransport(env.handler, { clock: env.clock }), clock: env.clock })
})

afterEach(async () => {
  await end()
  await env.close()
  otel.trace.disable()
  otel.context.disable()
  exporter.reset()
})

const at = (name: string) => ({ namespace: 'default', name })

/** Starts a manager that traces with the real package. Its reconcile copies `a`, and calls what the test gives. */
async function start(
  options: ControllerOptions = {},
  also: (name: string, context: ReconcileContext) => unknown = () => {},
): Promise<void> {
  const { clock } = env
  const copying = controller('copying')
    .for(ConfigMap)
    .reconcile(async (request, context) => {
      await also(request.name, context)
      if (request.name !== 'a') return
      await context.clock.sleep(50)
      await context.client.apply(ConfigMap, { metadata: at('copy'), data: { made: 'yes' } })
    }, options)
  const stop = new AbortController()
  const transport = directTransport(env.handler, { clock: env.clock })
  const manager = new Manager({ transport, clock, logger: silentLogger, tracing: otel }).add(copying)
  const running = manager.start({ signal: stop.signal })
  end = async () => {
    stop.abort()
    await running
  }
  await env.settle()
  exporter.reset()
}

/** The spans of an object's traces, as the exporter got them, with what the tests look at. */
function spans(object?: string) {
  const all = exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    id: span.spanContext().spanId,
    trace: span.spanContext().traceId,
    parent: span.parentSpanContext?.spanId,
    links: span.links.map(({ context }) => context.spanId),
    kind: span.kind,
    status: span.status,
    exceptions: span.events.map(({ name }) => name),
    attributes: span.attributes,
    start: milliseconds(span.startTime),
    end: milliseconds(span.endTime),
  }))
  if (object === undefined) return all
  const traces = new Set(
    all.filter(({ attributes }) => attributes['homeostat.object'] === object).map(({ trace }) => trace),
  )
  return all.filter(({ trace }) => traces.has(trace))
}

/** Time since the epoch, as the exporter has it, without the rounding of its nanoseconds. */
function milliseconds([seconds, nanoseconds]: [number, number]): number {
  return Math.round(seconds * 1000 + nanoseconds / 1e6)
}

test('an event, its time in the queue, the reconcile and its requests are one trace, each below the one before', async () => {
  await start({ debounce: '1s' })
  const started = env.clock.now()
  await client.create(ConfigMap, { metadata: at('a') })
  await env.advance('2s')
  const trace = spans('default/a')
  expect(new Set(trace.map(({ trace }) => trace)).size).toBe(1)
  const [event, queue, request, reconcile] = trace
  expect(trace).toHaveLength(4)
  expect(event).toMatchObject({
    name: 'event copying',
    parent: undefined,
    start: started,
    end: started,
    attributes: {
      'homeostat.controller': 'copying',
      'homeostat.object': 'default/a',
      'homeostat.cause': 'ConfigMap default/a was created',
    },
  })
  expect(queue).toMatchObject({ name: 'queue copying', parent: event?.id, end: started + 1000 })
  expect(reconcile).toMatchObject({
    name: 'reconcile copying',
    parent: queue?.id,
    kind: otel.SpanKind.CONSUMER,
    links: [],
    start: started + 1000,
    end: started + 1050,
    attributes: {
      'homeostat.result': 'success',
      'homeostat.reconcile_id': expect.any(String),
      'homeostat.causes': 'ConfigMap default/a was created',
    },
  })
  expect(request).toMatchObject({
    name: 'PATCH /api/v1/namespaces/default/configmaps/copy',
    parent: reconcile?.id,
    kind: otel.SpanKind.CLIENT,
    start: started + 1050,
    attributes: { 'http.request.method': 'PATCH', 'http.response.status_code': 201 },
  })
})

test('of several events that became one reconcile the first is its root, and the others are linked', async () => {
  await start({ debounce: '1s' })
  await client.create(ConfigMap, { metadata: at('a') })
  await env.advance('100ms')
  await client.patch(ConfigMap, at('a'), { type: 'merge', body: { data: { x: 'y' } } })
  await env.advance('2s')
  const [created, updated] = spans('default/a').filter(({ name }) => name === 'event copying')
  const reconciles = spans('default/a').filter(({ name }) => name === 'reconcile copying')
  expect(updated?.attributes['homeostat.cause']).toBe('ConfigMap default/a was updated (content)')
  expect(reconciles).toHaveLength(1)
  expect(reconciles[0]).toMatchObject({ trace: created?.trace, links: [updated?.id] })
  expect(updated?.trace).not.toBe(created?.trace)
})

test('a reconcile that fails says why, and its retry is a trace of its own', async () => {
  let failures = 0
  await start({}, (name) => {
    if (name === 'broken' && failures++ === 0) throw new Error('no such page')
  })
  await client.create(ConfigMap, { metadata: at('broken') })
  await env.advance('2s')
  const reconciles = spans('default/broken').filter(({ name }) => name === 'reconcile copying')
  expect(reconciles).toMatchObject([
    {
      status: { code: otel.SpanStatusCode.ERROR, message: 'no such page' },
      exceptions: ['exception'],
      attributes: { 'homeostat.result': 'error', 'homeostat.next_ms': 1000 },
    },
    { status: { code: otel.SpanStatusCode.UNSET }, attributes: { 'homeostat.result': 'success' } },
  ])
  expect(reconciles[0]?.trace).not.toBe(reconciles[1]?.trace)
  const queues = spans('default/broken').filter(({ name }) => name === 'queue copying')
  expect(queues.map(({ parent }) => parent === undefined)).toEqual([false, true])
})

test('spans that a reconcile creates are children of its span, and parents of the requests made in them', async () => {
  await start({}, (name, { client }) => {
    if (name !== 'mine') return undefined
    return otel.trace.getTracer('mine').startActiveSpan('render', async (span) => {
      await client.apply(ConfigMap, { metadata: at('rendered') })
      span.end()
    })
  })
  await client.create(ConfigMap, { metadata: at('mine') })
  await env.settle()
  const trace = spans('default/mine')
  const find = (name: string) => trace.find((span) => span.name.startsWith(name))
  expect(find('render')?.parent).toBe(find('reconcile')?.id)
  expect(find('PATCH')?.parent).toBe(find('render')?.id)
})

test('reconciles at the same time do not get into each other’s traces', async () => {
  await start({ maxConcurrentReconciles: 5 }, async (name, { client, clock }) => {
    if (!name.startsWith('n')) return
    await clock.sleep(10 * Number(name.slice(1)))
    await client.apply(ConfigMap, { metadata: at(`of-${name}`) })
  })
  for (let index = 0; index < 5; index++) await client.create(ConfigMap, { metadata: at(`n${index}`) })
  await env.advance('1s')
  for (let index = 0; index < 5; index++) {
    const trace = spans(`default/n${index}`)
    expect(trace.filter(({ name }) => name.startsWith('PATCH')).map(({ name }) => name)).toEqual([
      `PATCH /api/v1/namespaces/default/configmaps/of-n${index}`,
    ])
    expect(trace).toHaveLength(4)
  }
})
