import type { ReconcileReport } from 'homeostat'
import { describe, expect, test } from 'vitest'
import { referenceTo, type PlainObject, type Step, type Story } from '../stories/index.ts'
import type { Outcome, State } from '../world/index.ts'
import type { Expectation } from './expectation.ts'
import { judgeReference } from './failures.ts'
import type { Finding } from './finding.ts'
import { isMeaningful, judge } from './judge.ts'
import { exactly, expectedOf, type Trial } from './trial.ts'

type SentRequest = Outcome['requests'][number]

const app: PlainObject = {
  apiVersion: 'x.example/v1',
  kind: 'App',
  metadata: { namespace: 'default', name: 'a' },
}
const object = referenceTo(app)
const create: Step = { step: 'create', object: app }
const rest: Step = { step: 'rest' }
const crash: Step = { step: 'crash', request: 2, moment: 'before' }

const stateOf = (objects: Readonly<Record<string, object>>): State =>
  new Map(Object.entries(objects).map(([name, content]) => [name, { ...content }]))

function outcomeOf(objects: Readonly<Record<string, object>>, more: Partial<Outcome> = {}): Outcome {
  return {
    state: stateOf(objects),
    objects: [],
    requests: [],
    written: [],
    reports: [],
    faults: 0,
    violation: undefined,
    noted: undefined,
    externalAtStart: new Map(),
    waitedForWork: 0,
    changedByRestart: [],
    isSettledByRestart: false,
    sentByRestart: [],
    ...more,
  }
}

function request(method: SentRequest['method'], path: string, more: Partial<SentRequest> = {}): SentRequest {
  const sent = { sender: undefined, reconcile: undefined, trace: undefined }
  return { step: 1, method, path, isWatch: false, code: 200, ...sent, ...more }
}

function judged(
  expects: Expectation,
  outcome: Outcome,
  reference: Outcome,
  story: Story = [create, rest],
): Finding | undefined {
  const trial: Trial = { class: 'history', story, reference: [create, rest], expects }
  return judge(trial, outcome, exactly(reference))
}

const failed = { error: new Error('no'), result: 'error' } as unknown as ReconcileReport
const failure = (code: string) => ({ failure: { code, message: 'it failed\nfor a reason', step: 1 } })
const one = { 'App default/a': { status: { x: 1 } }, 'Job default/j': { spec: 1 } }
const other = { 'App default/a': { status: { x: 1 } }, 'Job default/j': { spec: 2 } }

describe('which runs are judged', () => {
  test('J1: none in which a step was refused or a fault did not happen', () => {
    expect(isMeaningful([crash, create], outcomeOf({}, { faults: 1 }))).toBe(true)
    expect(isMeaningful([crash, create], outcomeOf({}))).toBe(false)
    expect(isMeaningful([create], outcomeOf({}, { refusal: { message: 'no', step: 0 } }))).toBe(false)
  })

  test.for([
    ['RECONCILE_LOOP', 'endless-loop'],
    ['ENDLESS_REQUESTS', 'endless-loop'],
    ['CLOCK_STUCK', 'never-ends'],
    ['RIGHT_NOT_DECLARED', 'right-not-declared'],
    ['CALLBACK_FAILED', 'callback-throws'],
    ['OTHER', 'check-failed'],
  ])('J2, J29: one that failed with %s is of class %s', ([code, name]) => {
    for (const type of ['same', 'steady', 'allowed'] as const) {
      expect(judged({ type }, outcomeOf(one, failure(code!)), outcomeOf(one))).toMatchObject({
        class: name,
        summary: 'it failed',
        details: 'for a reason',
      })
    }
  })

  test('J2: a right that only owner references need is not missed', () => {
    const edit: Step = { step: 'edit', object, path: ['metadata', 'ownerReferences'] }
    const story = [create, rest, edit, rest]
    expect(
      judged({ type: 'same' }, outcomeOf(one, failure('RIGHT_NOT_DECLARED')), outcomeOf(one), story),
    ).toBeUndefined()
    expect(
      judged({ type: 'same' }, outcomeOf(one, failure('RECONCILE_LOOP')), outcomeOf(one), story),
    ).toBeDefined()
  })

  test('J3: a reference that does not come to rest is a finding, and one that fails otherwise is not', () => {
    const story = [create, rest]
    expect(judgeReference(story, outcomeOf({}, failure('RECONCILE_LOOP')), undefined)).toMatchObject({
      class: 'endless-loop',
      story,
    })
    expect(judgeReference(story, outcomeOf({}, failure('OTHER')), undefined)).toBeUndefined()
  })

  test('J5: an invariant that did not hold comes before any comparison', () => {
    const violation = { name: 'one Job', message: 'there are two' }
    expect(judged({ type: 'same' }, outcomeOf(other, { violation }), outcomeOf(one))).toMatchObject({
      class: 'invariant',
      summary: 'one Job: there are two',
    })
  })
})

describe('what is compared', () => {
  const trial: Trial = {
    class: 'history',
    story: [create, rest],
    reference: [create, rest],
    expects: { type: 'same' },
  }
  const withJob = (name: string, token: string, size = 1) =>
    outcomeOf({ 'App default/a': {}, [`Job default/a-${name}`]: { token, size } })

  test('J7, J8: random values and names do not count, and what else differs does', () => {
    const expected = expectedOf(withJob('x1', 'p'), withJob('y2', 'q'))
    expect(judge(trial, withJob('z3', 'r'), expected)).toBeUndefined()
    expect(judge(trial, withJob('z3', 'r', 2), expected)?.differences).toEqual([
      { object: 'Job default/a-<1>', path: 'size', expected: 1, found: 2 },
    ])
  })
})

describe('expectations', () => {
  test('J16: an object that is written again and again is an endless loop', () => {
    const path = '/apis/batch/v1/namespaces/default/jobs/j'
    const writes = (count: number, step = 1) =>
      outcomeOf(one, { requests: Array.from({ length: count }, () => request('PATCH', path, { step })) })
    expect(judged({ type: 'same' }, writes(21), outcomeOf(one))).toMatchObject({
      class: 'endless-loop',
      summary: `the operator writes ${path} 21 times in ten minutes`,
    })
    expect(judged({ type: 'same' }, writes(20), outcomeOf(one))).toBeUndefined()
    // As often as three times what the reference does is nothing new, and a step other than rest may take hours.
    expect(judged({ type: 'same' }, writes(21), writes(7))).toBeUndefined()
    expect(judged({ type: 'same' }, writes(21, 0), outcomeOf(one))).toBeUndefined()
    expect(judged({ type: 'allowed' }, writes(21), outcomeOf(one))).toBeUndefined()
  })

  test('J17: same', () => {
    expect(judged({ type: 'same' }, outcomeOf(one), outcomeOf(one))).toBeUndefined()
    expect(judged({ type: 'same' }, outcomeOf(other), outcomeOf(one))).toMatchObject({
      class: 'history',
      summary: 'spec of the Job default/j is 2 instead of 1',
    })
    const { 'App default/a': _, ...less } = one
    expect(judged({ type: 'same' }, outcomeOf(less), outcomeOf(one))?.summary).toBe(
      'the App default/a is missing',
    )
    expect(judged({ type: 'same' }, outcomeOf(one), outcomeOf(less))?.summary).toBe(
      'the App default/a is there, and should not be',
    )
  })

  test('J18: contains', () => {
    const more = { ...one, 'Job default/more': {} }
    expect(judged({ type: 'contains' }, outcomeOf(more), outcomeOf(one))).toBeUndefined()
    expect(judged({ type: 'contains' }, outcomeOf(other), outcomeOf(one))).toBeDefined()
  })

  const job = { kind: 'Job', metadata: { namespace: 'default', name: 'j' } }
  const deletes = (step: number, code = 200) =>
    request('DELETE', '/apis/batch/v1/namespaces/default/jobs/j', { step, code })
  const restarted: Story = [create, rest, { step: 'stop' }, { step: 'start' }, rest]

  test.for([
    ['J18', { type: 'contains', isSpared: true }],
    ['J21', { type: 'spared', objects: ['Job default/j'] }],
  ] as const)('%s: what the last process deletes is lost, even if it is created again', ([, expects]) => {
    const reference = outcomeOf(one, { objects: [job] })
    const sent = (...requests: SentRequest[]) => outcomeOf(one, { requests })
    expect(judged(expects, sent(deletes(3)), reference, restarted)?.summary).toBe(
      'the operator deletes the Job default/j, which should stay',
    )
    expect(judged(expects, sent(deletes(1)), reference, restarted)).toBeUndefined()
    expect(judged(expects, sent(deletes(3, 404)), reference, restarted)).toBeUndefined()
  })

  test('J21: spared is the same state as well', () => {
    expect(judged({ type: 'spared', objects: [] }, outcomeOf(other), outcomeOf(one))).toBeDefined()
  })

  test.for([
    ['healed or told', { type: 'healed or told', object }],
    ['contains, and told', { type: 'contains', toldBy: object }],
  ] as const)('J19: %s', ([, expects]) => {
    expect(judged(expects, outcomeOf(other), outcomeOf(one))).toBeDefined()
    const told = { ...other, 'App default/a': { status: { x: 'the Job is not mine' } } }
    expect(judged(expects, outcomeOf(told), outcomeOf(one))).toBeUndefined()
    expect(judged(expects, outcomeOf(other, { reports: [failed] }), outcomeOf(one))).toBeUndefined()
  })

  test('J20: gone', () => {
    const written = [
      { apiVersion: 'batch/v1', kind: 'Job', namespace: 'default', name: 'j', created: true },
      { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'shared', created: false },
    ]
    const gone = (keeps: string[] = []): Expectation => ({ type: 'gone', object, keeps })
    const shared = { 'ConfigMap default/shared': {} }
    expect(judged(gone(), outcomeOf(one, { written }), outcomeOf({}))).toMatchObject({
      class: 'deletion-stuck',
    })
    const left = outcomeOf({ ...shared, 'Job default/j': {} }, { written })
    expect(judged(gone(), left, outcomeOf({}))).toMatchObject({
      class: 'left-behind',
      summary: 'the App default/a is gone, and the operator has left behind: Job default/j',
    })
    expect(judged(gone(['Job']), left, outcomeOf({}))).toBeUndefined()
    expect(judged(gone(), outcomeOf(shared, { written }), outcomeOf({}))).toBeUndefined()
  })

  test('J22: kept', () => {
    const kept = { type: 'kept', object } as const
    expect(judged(kept, outcomeOf(other), outcomeOf(one))).toBeUndefined()
    expect(judged(kept, outcomeOf({ ...one, 'App default/a': {} }), outcomeOf(one))).toBeDefined()
  })

  test('J23: not ahead', () => {
    const expects = { type: 'not ahead', object } as const
    const stored = (generation: number, observedGeneration: number) => ({
      objects: [{ ...app, metadata: { ...app.metadata, generation }, status: { observedGeneration } }],
    })
    expect(judged(expects, outcomeOf(other, stored(2, 2)), outcomeOf(one))).toBeDefined()
    expect(judged(expects, outcomeOf(other, stored(2, 1)), outcomeOf(one))).toBeUndefined()
    const progress = { ...one, 'App default/a': { status: { x: 2 } } }
    expect(judged(expects, outcomeOf(progress, stored(2, 2)), outcomeOf(one))).toBeUndefined()
  })

  test('J26: bounded', () => {
    const list = (count: number, text: string) => ({
      'App default/a': { items: Array.from({ length: count }, () => 1), text },
    })
    const bounded = { type: 'bounded' } as const
    expect(
      judged(bounded, outcomeOf(list(12, 'x'.repeat(39))), outcomeOf(list(10, 'x'.repeat(20)))),
    ).toBeUndefined()
    expect(judged(bounded, outcomeOf(list(13, '')), outcomeOf(list(10, '')))?.summary).toBe(
      'items of the App default/a has 13 items at the end and 10 after half of the repetitions',
    )
    expect(
      judged(bounded, outcomeOf(list(1, 'x'.repeat(40))), outcomeOf(list(1, 'x'.repeat(20)))),
    ).toBeDefined()
    const jobs = (count: number) =>
      outcomeOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`Job default/${index}`, {}])))
    expect(judged(bounded, jobs(6), jobs(4))).toBeUndefined()
    expect(judged(bounded, jobs(7), jobs(4))?.summary).toMatch(
      /^there are 7 objects at the end and 4 after half of the repetitions/,
    )
  })

  test('J28: ends', () => {
    const report = { result: 'abandoned', controller: 'apps', request: { name: 'a' }, duration: 600_000 }
    const waiting = (duration: number) =>
      outcomeOf({}, { reports: [{ ...report, duration } as unknown as ReconcileReport] })
    expect(judged({ type: 'ends' }, waiting(600_000), outcomeOf({}))).toMatchObject({
      class: 'never-ends',
      summary: 'the controller apps has reconciled a for 10 minutes, and does not end',
    })
    expect(judged({ type: 'ends' }, waiting(599_999), outcomeOf({}))).toBeUndefined()
  })
})

describe('external systems', () => {
  const buckets = (...content: string[]) => ({ 'external buckets': { content } })

  test('J32: are as after the reference', () => {
    expect(judged({ type: 'same' }, outcomeOf(buckets('a', 'b')), outcomeOf(buckets('a')))?.class).toBe(
      'external',
    )
    expect(
      judged({ type: 'contains' }, outcomeOf(buckets('a', 'b')), outcomeOf(buckets('a'))),
    ).toBeUndefined()
  })

  test('J32: are as before the story after a deletion', () => {
    const gone: Expectation = { type: 'gone', object, keeps: [] }
    const externalAtStart = stateOf(buckets('first'))
    expect(judged(gone, outcomeOf(buckets('first'), { externalAtStart }), outcomeOf({}))).toBeUndefined()
    expect(judged(gone, outcomeOf(buckets('first', 'a'), { externalAtStart }), outcomeOf({}))?.class).toBe(
      'external',
    )
  })
})

test('J39: the line of a difference is where the request was sent at which the fault struck', () => {
  const at = (line: number) =>
    ({ stack: `Error: sent\n    at reconcile (/project/controller.ts:${line}:5)` }) as Error
  const requests = [
    request('GET', '/a', { step: 0, trace: at(1) }),
    request('GET', '/a', { step: 2, trace: at(2) }),
    request('GET', '/a', { step: 3, trace: at(3) }),
  ]
  const story = [create, rest, crash, rest]
  expect(judged({ type: 'same' }, outcomeOf(other, { requests }), outcomeOf(one), story)?.line).toBe(
    '/project/controller.ts:3:5',
  )
  expect(judged({ type: 'same' }, outcomeOf(other, { requests }), outcomeOf(one))?.line).toBeUndefined()
})
