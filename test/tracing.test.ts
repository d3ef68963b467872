import { AsyncLocalStorage } from 'node:async_hooks'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  controller,
  createClient,
  directTransport,
  Manager,
  silentLogger,
  type SpanOptions,
  type Tracing,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'

interface RecordedSpan {
  readonly id: string
  readonly name: string
  readonly parent: string | undefined
  readonly links: readonly string[]
  readonly attributes: Record<string, unknown>
  readonly start: number | undefined
  end?: number | undefined
  error?: string | undefined
}

/** What `@opentelemetry/api` does with a context manager, as far as it is used: spans by number. */
function recordingTracing(): { tracing: Tracing; spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = []
  const active = new AsyncLocalStorage<{ parent?: string }>()
  const startSpan = (name: string, options: SpanOptions = {}, context?: { parent?: string }) => {
    const span: RecordedSpan = {
      id: `${spans.length}`,
      name,
      parent: options.root ? undefined : context?.parent,
      links: options.links?.map((link) => link.context.spanId) ?? [],
      attributes: { ...options.attributes },
      start: options.startTime,
    }
    spans.push(span)
    return {
      spanContext: () => ({ traceId: 't', spanId: span.id, traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => void (span.attributes[key] = value),
      setStatus: ({ message }: { message?: string }) => void (span.error = message ?? 'error'),
      recordException: () => {},
      end: (time?: number) => void (span.end = time),
    }
  }
  const tracing: Tracing = {
    trace: {
      getTracer: () => ({ startSpan }),
      setSpan: (_, span: ReturnType<typeof startSpan>) => ({ parent: span.spanContext().spanId }),
    },
    context: {
      active: () => active.getStore() ?? {},
      with: (context, call) => active.run(context, call),
    },
  }
  return { tracing, spans }
}

test('a trace goes from the events through the queue to the reconcile and each of its requests', async () => {
  await using env = await TestEnvironment.start()
  const { clock } = env
  const transport = directTransport(env.handler, { clock })
  const client = createClient({ transport, clock })
  const { tracing, spans } = recordingTracing()
  const copying = controller('copying')
    .for(ConfigMap)
    .reconcile(
      async (request, { client, clock }) => {
        if (request.name === 'broken') throw new Error('broken')
        if (request.name !== 'a') return
        await clock.sleep(50)
        const metadata = { namespace: 'default', name: 'copy' }
        await client.apply(ConfigMap, { metadata, data: { made: 'yes' } })
      },
      { debounce: '1s' },
    )
  const stop = new AbortController()
  const manager = new Manager({ transport, clock, logger: silentLogger, tracing }).add(copying)
  const running = manager.start({ signal: stop.signal })
  await env.settle()
  const started = clock.now()
  await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } })
  await env.advance('100ms')
  const body = { data: { x: 'y' } }
  await client.patch(ConfigMap, { namespace: 'default', name: 'a' }, { type: 'merge', body })
  await env.advance('1s')
  await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'broken' } })
  await env.advance('1s')
  stop.abort()
  await running

  const ofA = spans.filter((span) => span.attributes['homeostat.object'] === 'default/a')
  expect(ofA.map(({ name }) => name)).toEqual(['event copying', 'event copying', 'reconcile copying'])
  const [created, updated, reconcile] = ofA as [RecordedSpan, RecordedSpan, RecordedSpan]
  expect(created.attributes['homeostat.cause']).toBe('ConfigMap default/a was created')
  expect(reconcile).toMatchObject({
    parent: undefined,
    links: [created.id, updated.id],
    start: started + 1000,
    end: started + 1050,
    attributes: { 'homeostat.controller': 'copying', 'homeostat.result': 'success' },
  })
  expect(spans.filter(({ parent }) => parent === reconcile.id)).toMatchObject([
    { name: 'queue copying', start: started + 1000, end: started + 1000 },
    {
      name: 'PATCH /api/v1/namespaces/default/configmaps/copy',
      start: started + 1050,
      attributes: { 'http.request.method': 'PATCH', 'http.response.status_code': 201 },
    },
  ])
  expect(spans.find(({ error }) => error)).toMatchObject({
    name: 'reconcile copying',
    error: 'broken',
    attributes: { 'homeostat.object': 'default/broken', 'homeostat.result': 'error' },
  })
  expect(spans.filter(({ end }) => end === undefined)).toEqual([])
})
