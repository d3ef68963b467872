import { SimulatedClock } from '@homeostat/api'
import { afterEach, describe, expect, it } from 'vitest'
import { admissionReview, callWebhook } from '../../../test/review-call.ts'
import { createLogger, MetricsRegistry, type SpanOptions, type Tracing } from '../../telemetry/index.ts'
import {
  allowed,
  rawAdmission,
  webhookHandler,
  type AdmissionContext,
  type RawHandler,
  type Allowed,
} from '../index.ts'

const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] } as const
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }
const PATH = '/validate-a-example-com'

const policy = (handler: RawHandler<Allowed>) => rawAdmission('a.example.com', rule).validates(handler)
const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

describe('a body that is not a review is refused as by controller-runtime, under the code 200', () => {
  const handler = webhookHandler([policy(() => allowed())])
  const status = (code: number, message: unknown) => ({
    response: { uid: '', allowed: false, status: { metadata: {}, message, code } },
  })
  it.each<[what: string, body: string, code: number, message: unknown, contentType?: string]>([
    ['nothing', '', 400, 'request body is empty'],
    ['another media type', '{}', 400, 'contentType=text/plain, expected application/json', 'text/plain'],
    [
      'parameters of the media type',
      '{}',
      400,
      'contentType=application/json; charset=utf-8, expected application/json',
      'application/json; charset=utf-8',
    ],
    ['no JSON', 'x', 400, expect.stringMatching(/^couldn't get version\/kind; json parse error: /)],
    [
      'half of JSON',
      '{"a":',
      400,
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    ['a list', '[]', 400, expect.stringMatching(/^couldn't get version\/kind; json parse error: /)],
    ['a kind that is a number', '{"kind":5}', 400, expect.stringMatching(/^couldn't get version\/kind/)],
    ['a request that is a number', '{"request":5}', 400, 'request must be an object'],
    ['a uid that is a number', '{"request":{"uid":5}}', 400, 'request.uid must be a string'],
    ['7 MB', ' '.repeat(7 * 1024 * 1024), 413, 'request entity is too large; limit is 7340032 bytes'],
  ])('%s', async (_, body, code, message, contentType) => {
    const answer = await callWebhook(handler, PATH, body, contentType === undefined ? {} : { contentType })
    expect(answer).toEqual({ status: 200, body: status(code, message) })
  })

  it('answers in the version that it was asked in, and in v1 where there is none', async () => {
    const old = { ...admissionReview(pod), apiVersion: 'admission.k8s.io/v1beta1' }
    expect((await callWebhook(handler, PATH, old)).body).toMatchObject({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1beta1',
      response: { uid: 'review-1', allowed: true },
    })
    expect((await callWebhook(handler, PATH, 'null')).body).toMatchObject({
      apiVersion: 'admission.k8s.io/v1',
    })
  })

  it('does not know other paths', async () => {
    expect(await callWebhook(handler, '/other', '')).toEqual({ status: 404, body: '404 page not found\n' })
  })

  it('survives a body that nests deeper than the stack', async () => {
    const deep = `{"request":{"uid":"a","object":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`
    const { status } = await callWebhook(handler, PATH, deep)
    expect([200, 500]).toContain(status)
    expect((await callWebhook(handler, PATH, admissionReview(pod))).body.response.allowed).toBe(true)
  })
})

describe('a slow webhook', () => {
  const slow = (clock: SimulatedClock, wait: (context: AdmissionContext) => Promise<unknown>) =>
    webhookHandler(
      [
        policy(async (_, context) => {
          await wait(context)
          return allowed()
        }),
      ],
      { clock },
    )

  it('is left to the failure policy at the deadline of the API server, and its signal aborts', async () => {
    const clock = new SimulatedClock()
    let reason: unknown
    const handler = slow(clock, async ({ clock: own, signal }) => {
      signal.addEventListener('abort', () => (reason = signal.reason))
      await own.sleep(11_000)
    })
    const answer = callWebhook(handler, PATH, admissionReview(pod), { timeout: '10s' })
    let isAnswered = false
    void answer.then(() => (isAnswered = true))
    await clock.advance('10s')
    expect(reason).toMatchObject({
      code: 'WEBHOOK_TIMEOUT',
      message: expect.stringContaining('did not answer within 10000 ms'),
    })
    // A refusal at this moment would reach an API server whose timer is late before its deadline.
    expect(isAnswered).toBe(false)
    await clock.advance('1s')
    expect(await answer).toEqual({ status: 504, body: '' })
  })

  it('refuses nothing when its handler ends by the signal at the deadline', async () => {
    const clock = new SimulatedClock()
    const handler = slow(clock, ({ clock: own, signal }) => own.sleep(11_000, { signal }))
    const answer = callWebhook(handler, PATH, admissionReview(pod), { timeout: '10s' })
    await clock.advance('11s')
    expect(await answer).toEqual({ status: 504, body: '' })
  })

  it('answers in time when it ends before the deadline', async () => {
    const clock = new SimulatedClock()
    const handler = slow(clock, ({ clock: own }) => own.sleep(90_000))
    const answer = callWebhook(handler, PATH, admissionReview(pod), { timeout: '1m31s' })
    await clock.advance('90s')
    expect((await answer).body.response.allowed).toBe(true)
  })

  it('holds simulated time up where there is no deadline, but not while it sleeps', async () => {
    const clock = new SimulatedClock()
    const { promise, resolve } = Promise.withResolvers<void>()
    open.push(resolve)
    const handler = slow(clock, async ({ clock: own }) => {
      await own.sleep(1_000)
      await promise
    })
    const answer = callWebhook(handler, PATH, admissionReview(pod))
    let passed = false
    const advanced = clock.advance('5s').then(() => (passed = true))
    await expect.poll(() => clock.monotonic()).toBe(1_000)
    expect(passed).toBe(false)
    resolve()
    expect((await answer).body.response.allowed).toBe(true)
    await advanced
  })

  it('ends when the API server hangs up', async () => {
    const controller = new AbortController()
    const reason = new Error('the connection is gone')
    let seen: unknown
    const handler = slow(new SimulatedClock(), async ({ signal }) => {
      controller.abort(reason)
      seen = signal.reason
      await new Promise(() => {})
    })
    await expect(
      callWebhook(handler, PATH, admissionReview(pod), { signal: controller.signal }),
    ).rejects.toBe(reason)
    expect(seen).toBe(reason)
  })
})

it('counts requests under the names of controller-runtime', async () => {
  const [clock, metrics] = [new SimulatedClock(), new MetricsRegistry()]
  const { promise, resolve } = Promise.withResolvers<void>()
  const handler = webhookHandler([policy(() => promise.then(() => allowed()))], { clock, metrics })
  const answer = callWebhook(handler, PATH, admissionReview(pod))
  expect(metrics.page()).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${PATH}"} 1`)
  resolve()
  await answer
  const page = metrics.page()
  expect(page).toContain(`controller_runtime_webhook_requests_in_flight{webhook="${PATH}"} 0`)
  expect(page).toContain(`controller_runtime_webhook_requests_total{code="200",webhook="${PATH}"} 1`)
  expect(page).toContain(`controller_runtime_webhook_requests_total{code="500",webhook="${PATH}"} 0`)
  expect(page).toContain(`controller_runtime_webhook_latency_seconds_bucket{le="1e-8",webhook="${PATH}"} 1`)
  expect(page).toContain(`controller_runtime_webhook_latency_seconds_count{webhook="${PATH}"} 1`)
  expect(page).toContain('controller_runtime_webhook_panics_total 0')
})

it('logs with the object, the user and the id of the request', async () => {
  const lines: string[] = []
  const logger = createLogger({ format: 'json', write: (line: string) => void lines.push(line) })
  const handler = webhookHandler(
    [
      policy((_, { log }) => {
        log.info('looked at')
        return allowed()
      }),
    ],
    { logger },
  )
  await callWebhook(handler, PATH, admissionReview(pod))
  expect(JSON.parse(lines[0]!)).toMatchObject({
    webhook: PATH,
    object: 'default/a',
    resource: 'pods',
    user: 'ada',
    requestID: 'review-1',
  })
})

it('calls the handler in a span of its own', async () => {
  const spans: {
    name: string
    options: SpanOptions | undefined
    attributes: Map<string, unknown>
    end?: number
  }[] = []
  let active = 'none'
  const tracing: Tracing = {
    trace: {
      getTracer: () => ({
        startSpan: (name, options) => {
          const span = { name, options, attributes: new Map<string, unknown>(), end: 0 }
          spans.push(span)
          return {
            spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
            setAttribute: (key, value) => span.attributes.set(key, value),
            setStatus: () => undefined,
            recordException: () => undefined,
            end: (time) => (span.end = time ?? 0),
          }
        },
      }),
      setSpan: () => 'the span',
    },
    context: {
      active: () => undefined,
      with: (context, call) => {
        active = context as string
        return call()
      },
    },
  }
  const clock = new SimulatedClock()
  let during = ''
  const handler = webhookHandler(
    [
      policy(() => {
        during = active
        return allowed()
      }),
    ],
    { tracing, clock },
  )
  await callWebhook(handler, PATH, admissionReview(pod))
  expect(during).toBe('the span')
  expect(spans).toMatchObject([
    { name: `webhook ${PATH}`, options: { kind: 1, startTime: clock.now() }, end: clock.now() },
  ])
  expect(spans[0]?.attributes.get('http.response.status_code')).toBe(200)
})
