import { controller, controllerReference, type Controller } from 'homeostat'
import { ConfigMap, Deployment, Lease } from 'homeostat/kinds'
import { describe, expect, test } from 'vitest'
import { referenceTo, type PlainObject, type Step, type Story } from '../src/stories/index.ts'
import { checkedOperator, play, type Outcome } from '../src/world/index.ts'
import { Widget, widgetOperator } from './widget.ts'

/** Applies a ConfigMap with the color of its Widget: one request. Calls `seen` before. */
function copies(seen: (color: string) => unknown = () => {}, isCareless = false): Controller {
  return controller('widgets')
    .for(Widget)
    .owns(ConfigMap)
    .writes(ConfigMap, 'apply')
    .options({ maxConcurrentReconciles: 2 })
    .reconcile(async (key, { client }) => {
      const widget = await client.get(Widget, key)
      if (!widget) return
      await seen(widget.spec.color)
      const metadata = { ...key, ownerReferences: [controllerReference(widget)] }
      const applied = client.apply(ConfigMap, { metadata, data: { color: widget.spec.color } })
      await (isCareless ? applied.catch(() => {}) : applied)
    })
}

const widget = (color: string, name = 'w', namespace = 'default'): PlainObject => ({
  apiVersion: 'check.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace },
  spec: { color },
})
const child = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'w' }
const create: Step = { step: 'create', object: widget('red') }
const rest: Step = { step: 'rest' }
const stop: Step = { step: 'stop' }
const start: Step = { step: 'start' }
const wait = (seconds: number): Step => ({ step: 'wait', duration: `${seconds}s` })
const change = (color: string): Step => ({ step: 'change', object: widget(color) })
const edit = (path: readonly (string | number)[], value?: unknown): Step => ({
  step: 'edit',
  object: child,
  path,
  value,
})

async function played(story: Story, made: Controller = copies()): Promise<Outcome> {
  return play(await checkedOperator(widgetOperator(made)), story)
}

/** The color of the child at the end; `undefined` where there is none. */
async function colorAfter(story: Story, made?: Controller): Promise<unknown> {
  const { state, failure, refusal } = await played(story, made)
  expect({ failure, refusal }).toEqual({ failure: undefined, refusal: undefined })
  return (state.get('ConfigMap default/w') as any)?.data.color
}

describe('a story', () => {
  test('ST1: means the same after it was written as JSON and read again', async () => {
    const story = [create, rest, stop, edit(['data', 'color'])]
    const { state } = await played(JSON.parse(JSON.stringify(story)) as Story)
    expect(state).toEqual((await played(story)).state)
    expect(state.get('ConfigMap default/w')).not.toHaveProperty('data.color')
  })

  test('ST2: no step but those of time waits for the operator, and time passes in these alone', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const sleeps = controller('widgets')
      .for(Widget)
      .reconcile(async (_, { clock }) => {
        begun.push(clock.now())
        await clock.sleep(5_000)
        ended.push(clock.now())
      })
    await played([create, { step: 'note' }, change('blue'), change('red')], sleeps)
    expect(ended).toEqual([])
    await played([create, wait(4), change('blue'), wait(2)], sleeps)
    const [first = 0] = begun
    expect(ended).toEqual([first + 5_000])
    expect(begun.at(-1)).toBe(first + 5_000)
  })

  test('ST3: what falls due within ten minutes is done at rest', async () => {
    const calls: number[] = []
    const repeats = controller('widgets')
      .for(Widget)
      .reconcile((_, { clock }) => {
        calls.push(clock.now())
        return { requeueAfter: '4m' }
      })
    await played([create, rest], repeats)
    expect(calls.map((now) => now - calls[0]!)).toEqual([0, 240_000, 480_000])
  })

  test('ST4: steps that are repeated are done so many times', async () => {
    const seen: string[] = []
    const steps = [change('blue'), wait(1), change('red'), wait(1)]
    await played(
      [create, wait(1), { step: 'repeat', times: 3, steps }],
      copies((color) => seen.push(color)),
    )
    const changes = seen.filter((color, index) => color !== seen[index - 1])
    expect(changes).toEqual(['red', 'blue', 'red', 'blue', 'red', 'blue', 'red'])
  })
})

describe('the user and other clients', () => {
  test('ST5: an object is created with its namespace and its controller', async () => {
    const owned: PlainObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'n' },
    }
    const owner = widget('red', 'w', 'n')
    const { objects } = await played([
      { step: 'create', object: owner },
      { step: 'create', object: owned, controlledBy: referenceTo(owner) },
    ])
    const uid = objects.find(({ kind }) => kind === 'Widget')?.metadata.uid
    expect(objects.find(({ metadata }) => metadata.name === 'a')?.metadata.ownerReferences).toEqual([
      { apiVersion: 'check.example.com/v1', kind: 'Widget', name: 'w', uid, controller: true },
    ])
  })

  test('ST6: a change replaces all but metadata and status', async () => {
    const labels = {
      step: 'edit',
      object: referenceTo(widget('red')),
      path: ['metadata', 'labels'],
      value: { a: 'b' },
    } as const
    const size = { ...widget('red'), spec: { color: 'red', size: 3 } }
    const { objects } = await played([{ step: 'create', object: size }, labels, change('blue')])
    const { metadata, spec } = objects.find(({ kind }) => kind === 'Widget')
    expect(metadata.labels).toEqual({ a: 'b' })
    expect(spec).toEqual({ color: 'blue' })
  })

  test('ST7: an edit sets or removes one field, or one item of a list', async () => {
    const before = [
      create,
      rest,
      stop,
      edit(['metadata', 'finalizers'], ['a.io/x', 'a.io/y']),
      edit(['data', 'more'], 'm'),
    ]
    const { objects } = await played([
      ...before,
      edit(['metadata', 'finalizers', 0]),
      edit(['data', 'color']),
    ])
    const found = objects.find(({ kind }) => kind === 'ConfigMap')
    expect(found.metadata.finalizers).toEqual(['a.io/y'])
    expect(found.data).toEqual({ more: 'm' })
  })

  test('ST8: a refused step ends the story, except where that is allowed', async () => {
    const wrong = { ...widget('red'), spec: { color: 'red', size: 0 } }
    const refused = await played([create, { step: 'change', object: wrong }, change('blue')])
    expect(refused.refusal).toMatchObject({ step: 1, message: expect.stringContaining('spec.size') })
    const gone = await played([stop, create, edit(['data', 'color'], 'x')])
    expect(gone.refusal).toMatchObject({ step: 2, message: 'ConfigMap default/w is gone' })
    const color = await colorAfter([
      create,
      { step: 'change', object: wrong, mayBeRefused: true },
      { step: 'remove', object: child },
      rest,
    ])
    expect(color).toBe('red')
  })
})

describe('processes', () => {
  test('ST9: an operator that is stopped does nothing until it is started, and a second start does nothing', async () => {
    expect(await colorAfter([create, rest, stop, change('blue'), rest])).toBe('red')
    const { requests, state } = await played([create, rest, stop, change('blue'), start, start, rest])
    expect(state.get('ConfigMap default/w')).toMatchObject({ data: { color: 'blue' } })
    expect(requests.filter(({ step, isWatch }) => step >= 5 && isWatch)).toEqual([])
  })

  test.for([
    ['before', undefined],
    ['after', 'red'],
  ] as const)('ST10: a crash %s a request', async ([moment, color]) => {
    const crash = { step: 'crash', request: 1, moment } as const
    expect(await colorAfter([{ ...crash, staysDown: true }, create, rest])).toBe(color)
    expect(await colorAfter([{ ...crash, staysDown: true }, create, rest, start, rest])).toBe('red')
    const { requests, faults } = await played([crash, create, rest])
    expect(faults).toBe(1)
    // The process that follows lists and watches both kinds.
    expect(requests.filter(({ isWatch }) => isWatch)).toHaveLength(2)
  })

  test('ST10: a start before the crash that it should follow ends the story', async () => {
    const { refusal } = await played([
      { step: 'crash', request: 9, moment: 'before', staysDown: true },
      start,
    ])
    expect(refusal?.message).toBe('the operator has not crashed yet')
  })
})

describe('requests', () => {
  test('ST11: a write of a Lease does not count, and the list of a cache does', async () => {
    const tells = controller('widgets')
      .for(Widget)
      .owns(ConfigMap)
      .reconcile(async ({ namespace, name }, { client }) => {
        await client.create(Lease, { metadata: { namespace, generateName: `${name}-` } })
        await client.apply(ConfigMap, { metadata: { namespace, name } })
      })
    const { state, requests } = await played(
      [{ step: 'fail', request: 1, failure: 500 }, create, wait(0)],
      tells,
    )
    expect(state.has('ConfigMap default/w')).toBe(false)
    expect(requests).toMatchObject([{ method: 'PATCH', code: 500 }])
    const { requests: sent } = await played([stop, { step: 'fail', request: 1, failure: 503 }, start, rest])
    expect(sent[0]).toMatchObject({ method: 'GET', code: 503 })
  })

  test.for([
    [500, undefined],
    [409, undefined],
    ['not sent', undefined],
    ['answer lost', 'red'],
  ] as const)('ST12: a request that fails: %s', async ([failure, color]) => {
    const story: Story = [{ step: 'fail', request: 1, failure }, create, rest]
    // One that does not notice the failure shows what the server has done.
    expect(await colorAfter(story, copies(undefined, true))).toBe(color)
    const { reports, faults } = await played(story)
    expect(faults).toBe(1)
    expect(reports[0]?.error).toBeInstanceOf(Error)
    if (typeof failure === 'number') expect(reports[0]?.error).toMatchObject({ status: { code: failure } })
  })

  test('ST13: a slow request reaches the server after half a minute', async () => {
    const slow: Step = { step: 'slow', request: 1 }
    expect(await colorAfter([slow, create, wait(29)])).toBeUndefined()
    expect(await colorAfter([slow, create, wait(31)])).toBe('red')
    const other: Step = { step: 'create', object: widget('red', 'other') }
    const { state } = await played([slow, create, wait(0), other, wait(1)])
    expect([...state.keys()].filter((name) => name.startsWith('ConfigMap'))).toEqual([
      'ConfigMap default/other',
    ])
  })

  test('ST14: of two faults at one request the first happens', async () => {
    const story: Story = [
      { step: 'fail', request: 1, failure: 'answer lost' },
      { step: 'fail', request: 1, failure: 500 },
      create,
      wait(0),
    ]
    const { faults, reports } = await played(story)
    expect(faults).toBe(1)
    expect(reports[0]?.error).toMatchObject({ code: 'CONNECTION_LOST' })
    expect(await colorAfter(story)).toBe('red')
  })
})

describe('caches', () => {
  test('ST15: a cache that is held misses events of one kind until it is released', async () => {
    const hold: Step = { step: 'hold', kind: 'ConfigMap' }
    const remove: Step = { step: 'remove', object: child }
    expect(await colorAfter([create, rest, hold, remove, rest])).toBeUndefined()
    expect(await colorAfter([create, rest, hold, change('blue'), rest])).toBe('blue')
    const release: Step = { step: 'release', kind: 'ConfigMap' }
    expect(await colorAfter([create, rest, hold, remove, rest, release, rest])).toBe('red')
  })

  test('ST16: a process that lists from a server that is behind first sees an older state', async () => {
    const seen: string[][] = []
    const source = () => {
      const colors: string[] = []
      seen.push(colors)
      return widgetOperator(copies((color) => colors.push(color)))
    }
    const stale: Step = { step: 'stale', kind: 'Widget' }
    const { state } = await play(await checkedOperator(source), [
      create,
      rest,
      stop,
      stale,
      change('blue'),
      start,
      rest,
    ])
    expect([seen.at(-1)?.[0], seen.at(-1)?.at(-1)]).toEqual(['red', 'blue'])
    expect(state.get('ConfigMap default/w')).toMatchObject({ data: { color: 'blue' } })
  })
})

describe('surroundings', () => {
  const deploys = controller('widgets')
    .for(Widget)
    .owns(Deployment)
    .reconcile(async ({ namespace, name }, { client }) => {
      const labels = { app: name }
      const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
      const spec = { selector: { matchLabels: labels }, template }
      await client.apply(Deployment, { metadata: { namespace, name }, spec })
    })
  const readyAfter = async (...story: Story): Promise<unknown> => {
    const { objects } = await played(story, deploys)
    return objects.find(({ kind }) => kind === 'Deployment')?.status.readyReplicas ?? 0
  }

  test('ST17: Pods are ready at once, or as the story says', async () => {
    const pods = (behaviour: 'late' | 'never' | 'failing'): Step => ({ step: 'pods', behaviour })
    expect(await readyAfter(create, wait(1))).toBe(1)
    expect(await readyAfter(pods('late'), create, wait(119))).toBe(0)
    expect(await readyAfter(pods('late'), create, wait(121))).toBe(1)
    expect(await readyAfter(pods('never'), create, rest)).toBe(0)
    expect(await readyAfter(pods('failing'), create, rest)).toBe(0)
  })

  test('ST18: the noted state is that at the step', async () => {
    const { noted, state } = await played([create, rest, { step: 'note' }, change('blue'), rest])
    expect(noted?.get('ConfigMap default/w')).toMatchObject({ data: { color: 'red' } })
    expect(state.get('ConfigMap default/w')).toMatchObject({ data: { color: 'blue' } })
  })
})
