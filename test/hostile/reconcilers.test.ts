import { SystemClock } from '@homeostat/api'
import { ConfigMap, Event, Secret } from '@homeostat/api/kinds'
import { ApiServer } from '@homeostat/apiserver'
import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  createClient,
  directTransport,
  Manager,
  silentLogger,
  type ControllerOptions,
  type MetricsRegistry,
  type Reconcile,
  type ReconcileContext,
  type ReconcileReport,
} from 'homeostat'
import { describe, expect, test, vi } from 'vitest'

/** Time that each reconciler has for its worst. */
const HOUR = 60
/** The most reconciles of the hostile object in that time: a retry with back-off, a slowed loop and a requeue need fewer. */
const MOST_RECONCILES = 250

const namespace = 'default'

/** Reconciles `bad` as it is told, and all else without a fault. */
function hostile(
  reconcile: Reconcile,
  seen: string[],
  options: ControllerOptions = { reconcileTimeout: '10s' },
) {
  return controller('hostile')
    .for(ConfigMap)
    .reconcile((request, context) => {
      if (request.name === 'kube-root-ca.crt') return undefined
      seen.push(request.name)
      return request.name === 'bad' ? reconcile(request, context) : undefined
    }, options)
}

/** Copies each ConfigMap into a Secret. */
const good = (metrics: { registry?: MetricsRegistry }) =>
  controller('good')
    .for(ConfigMap)
    .owns(Secret)
    .reconcile(async (request, { client, ...context }) => {
      metrics.registry = context.metrics as MetricsRegistry
      const object = await client.get(ConfigMap, request)
      if (object)
        await client.apply(Secret, { metadata: request, stringData: { n: object.data?.['n'] ?? '' } })
    })

/** The effects of one hostile reconciler on the others, in counts. */
async function live(reconcile: Reconcile) {
  const seen: string[] = []
  const metrics: { registry?: MetricsRegistry } = {}
  // A loop is told to the test as well; what it does to the others is what counts here.
  const tolerate = (error: unknown): void => expect(error).toMatchObject({ code: 'RECONCILE_LOOP' })
  const operator = await OperatorTest.start({
    rights: 'all',
    controllers: [hostile(reconcile, seen), good(metrics)],
  })
  const copies: string[] = []
  let page = ''
  try {
    await operator.client.create(ConfigMap, { metadata: { namespace, name: 'bad' } })
    await operator.client.create(ConfigMap, { metadata: { namespace, name: 'fine' } })
    for (let minute = 1; minute <= HOUR; minute++) {
      await operator.advance('1m').catch(tolerate)
      if (minute % 20 !== 0) continue
      const body = { data: { n: `${minute}` } }
      await operator.client.patch(ConfigMap, { namespace, name: 'fine' }, { type: 'merge', body })
      await operator.settle().catch(tolerate)
      const copy = await operator.client.get(Secret, { namespace, name: 'fine' })
      copies.push(Buffer.from(copy?.data?.['n'] ?? '', 'base64').toString())
    }
    page = metrics.registry?.page() ?? ''
    const events = await operator.client.list(Event, { namespace })
    const writes = operator.environment.writes.length
    return { seen, copies, page, events: events.length, writes }
  } finally {
    await operator.close()
  }
}

/** The value of a metric, summed over its labels but for the controller. */
function metric(page: string, name: string, labels = ''): number {
  return page
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(labels))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

function circular(): Error {
  const error = new Error('first')
  error.cause = new Error('second', { cause: error })
  return error
}

/** Throws at whatever is done with it. */
function untouchable(): object {
  const refuse = (): never => {
    throw new Error('do not touch')
  }
  return new Proxy(
    {},
    { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse },
  )
}

/** Anything with a `then` is awaited like a promise. */
function thenable(then: () => unknown): object {
  // eslint-disable-next-line unicorn/no-thenable -- it is meant to be one
  return { then }
}

const badMessage = Object.defineProperty(new Error('x'), 'message', {
  get(): never {
    throw new Error('no message')
  },
})

const throwing: [string, () => unknown][] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['a string', () => 'no'],
  ['a symbol', () => Symbol('no')],
  ['a bigint', () => 1n],
  ['an object that refers to itself', () => Object.assign({}, { self: globalThis })],
  ['an object that throws at every touch', untouchable],
  ['an error whose cause is itself in the end', circular],
  ['an error whose message throws', () => badMessage],
  ['an error with a message of 10 MB', () => new Error('x'.repeat(10_000_000))],
  [
    'an AggregateError of itself',
    () => Object.assign(new AggregateError([]), { errors: [circular(), circular()] }),
  ],
]

const returning: [string, () => unknown][] = [
  ['a number', () => 5],
  ['NaN', () => Number.NaN],
  ['a list', () => []],
  ['a function', () => () => {}],
  ['a symbol', () => Symbol('rubbish')],
  ['an object that throws at every touch', untouchable],
  ['a negative time', () => ({ requeueAfter: -1 })],
  ['an invalid time', () => ({ requeueAfter: 'soon' })],
  ['an unknown field', () => ({ requeAfter: '5s' })],
  [
    'a thenable that throws',
    () =>
      thenable(() => {
        throw circular()
      }),
  ],
  ['a thenable that never calls back', () => thenable(() => {})],
]

const behaving: [string, (context: ReconcileContext) => unknown][] = [
  ['never ends', () => new Promise(() => {})],
  ['requeues at 0', () => ({ requeueAfter: 0 })],
  ['requeues', () => ({ requeue: true })],
  ['sleeps for ever, without its signal', ({ clock }) => clock.sleep(Number.MAX_SAFE_INTEGER)],
  [
    'is called again by each of its writes',
    async ({ client }) => {
      const object = await client.getOrThrow(ConfigMap, { namespace, name: 'bad' })
      const data = { n: `${Number(object.data?.['n'] ?? 0) + 1}` }
      await client.update(ConfigMap, { ...object, data })
    },
  ],
  [
    'deletes and makes a child each time',
    async ({ client }) => {
      await client.delete(Secret, { namespace, name: 'bad' })
      await client.create(Secret, { metadata: { namespace, name: 'bad' } })
      throw new Error('and fails')
    },
  ],
  [
    'floods events',
    ({ events }) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'bad' } }
      for (let n = 0; n < 10_000; n++) events.warning(object, 'Flood', `event ${n}`)
    },
  ],
  [
    'logs what cannot be logged',
    ({ log }) => {
      log.error({ untouchable: untouchable(), error: circular() }, 'x')
    },
  ],
  [
    'blocks for a while',
    () => {
      let n = 0
      while (n < 20_000_000) n++
      throw new Error(`counted to ${n}`)
    },
  ],
  [
    'changes what it was given',
    async ({ client }) => {
      const object = await client.get(ConfigMap, { namespace, name: 'fine' })
      Object.assign(object?.metadata ?? {}, { name: 'stolen' })
    },
  ],
  [
    'goes on after it has ended',
    ({ client }) => {
      const later = async (): Promise<void> => {
        for (let n = 0; n < 1000; n++) await client.get(ConfigMap, { namespace, name: 'bad' })
      }
      void later().catch(() => {})
    },
  ],
]

/** Whether the endless loops of these tests may end, so that they do not go on in the tests that follow. */
interface Over {
  over: boolean
}

const endless: [string, (context: ReconcileContext, test: Over) => Promise<void>][] = [
  [
    'reads the cache',
    async ({ client }, test) => {
      while (!test.over) await client.get(ConfigMap, { namespace, name: 'bad' }).catch(() => {})
    },
  ],
  [
    'reads the server',
    async ({ client }, test) => {
      while (!test.over) await client.live.get(ConfigMap, { namespace, name: 'bad' }).catch(() => {})
    },
  ],
  [
    'writes',
    async ({ client }, test) => {
      for (let n = 0; !test.over; n++) {
        const body = { data: { n: `${n}` } }
        await client.patch(ConfigMap, { namespace, name: 'bad' }, { type: 'merge', body }).catch(() => {})
      }
    },
  ],
]

/**
 * Requests without a pause hold simulated time, so these run by the machine's clock. Nothing is measured: the test waits
 * until the others have done their work, and until the manager has stopped.
 */
async function liveByTheMachine(
  behave: (context: ReconcileContext, test: Over) => Promise<void>,
): Promise<void> {
  const clock = new SystemClock()
  await using server = await ApiServer.start({ clock })
  await using transport = directTransport(server.handler, { clock })
  const client = createClient({ transport, clock, fieldManager: 'test' })
  const until: Over = { over: false }
  const seen: string[] = []
  const reports: ReconcileReport[] = []
  const manager = new Manager({
    transport,
    clock,
    logger: silentLogger,
    gracefulShutdownTimeout: '10ms',
    onReconcile: (report) => reports.push(report),
  }).add(
    hostile((_, context) => behave(context, until), seen, {
      reconcileTimeout: '10ms',
      abortGracePeriod: '10ms',
    }),
    good({}),
  )
  const stop = new AbortController()
  const running = manager
    .start({ signal: stop.signal })
    .catch((error: Error & { code?: string }) => error.code)
  await client.create(ConfigMap, { metadata: { namespace, name: 'bad' } })
  await vi.waitFor(() => expect(reports.some(({ result }) => result === 'abandoned')).toBe(true), 60_000)
  await client.create(ConfigMap, { metadata: { namespace, name: 'fine' }, data: { n: '1' } })
  await vi.waitFor(async () => {
    expect(seen).toContain('fine')
    expect(await client.get(Secret, { namespace, name: 'fine' })).toBeDefined()
  }, 60_000)
  stop.abort()
  expect(await running).toBe('MANAGER_STOP_TIMEOUT')
  until.over = true
}

/** The effects of a hostile reconciler on the others, in an hour of simulated time; empty where there are none. */
async function harmOf(reconcile: Reconcile): Promise<string[]> {
  const { seen, copies, page, events, writes } = await live(reconcile)
  const fine = seen.filter((name) => name === 'fine').length
  const harm: [boolean, string][] = [
    [copies.join() !== '20,40,60', `the second controller made ${copies.join()}`],
    [fine !== 4, `the second object was reconciled ${fine} times, for its creation and three changes`],
    [fine === seen.length, 'the hostile object was never reconciled'],
    [seen.length > MOST_RECONCILES, `there were ${seen.length} reconciles`],
    [writes > 3 * MOST_RECONCILES, `there were ${writes} writes`],
    [events > 60, `there are ${events} events`],
    [metric(page, 'workqueue_depth') > 0, 'requests wait in the queue'],
    [metric(page, 'controller_runtime_active_workers') > 2, 'workers are lost'],
  ]
  return harm.flatMap(([isSo, what]) => (isSo ? [what] : []))
}

describe('others go on, and closing ends, where a reconcile throws', () => {
  test.each(throwing)('%s', async (_, make) => {
    const reconcile = (): never => {
      throw make()
    }
    expect(await harmOf(reconcile)).toEqual([])
  })
})

describe('others go on, and closing ends, where a reconcile rejects with', () => {
  test.each(throwing)('%s', async (_, make) => {
    expect(await harmOf(() => Promise.reject(make()))).toEqual([])
  })
})

describe('others go on, and closing ends, where a reconcile returns', () => {
  test.each(returning)('%s', async (_, make) => {
    expect(await harmOf(() => make() as never)).toEqual([])
  })
})

describe('others go on, and closing ends, where a reconcile', () => {
  test.each(behaving)('%s', async (_, behave) => {
    expect(await harmOf((_request, context) => behave(context) as never)).toEqual([])
  })
})

describe('others go on, and stopping ends, where a reconcile without end, past its timeout and minding no error,', () => {
  test.each(endless)('%s', async (_, behave) => {
    await expect(liveByTheMachine(behave)).resolves.toBeUndefined()
  })
})

test('one that asks without end under a simulated clock is named, and closing ends', async () => {
  const asking = controller('asking')
    .for(ConfigMap)
    .reconcile(async (request, { client }) => {
      for (;;) await client.live.get(ConfigMap, request).catch(() => {})
    })
  const body = async (): Promise<void> => {
    await using next = await OperatorTest.start({ rights: 'all', controllers: [asking] })
    await next.client.create(ConfigMap, { metadata: { namespace, name: 'bad' } })
    await next.settle()
  }
  await expect(body()).rejects.toThrow(
    /GET \/api\/v1\/namespaces\/[^]*\/configmaps\/|by the controller asking/,
  )
})
