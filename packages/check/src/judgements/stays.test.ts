import { describe, expect, test } from 'vitest'
import type { Step } from '../stories/index.ts'
import type { Outcome, State } from '../world/index.ts'
import { judgeHeld, judgeSteady } from './stays.ts'
import type { Trial } from './trial.ts'

const object = { apiVersion: 'x.example/v1', kind: 'App', namespace: 'default', name: 'shop' }

function secretWith(password: string, count = 1): State {
  return new Map([['Secret default/shop', { data: { password }, count }]])
}

function outcomeOf(noted: State, state: State): Outcome {
  return { noted, state, requests: [], objects: [] } as unknown as Outcome
}

describe('what stays', () => {
  const steady: Trial = { class: 'failed-request', story: [], reference: [], expects: { type: 'steady' } }
  const judge = (outcome: Outcome, reference: Outcome) =>
    judgeSteady(steady, outcome, {
      outcome: reference,
      varying: new Set(['Secret default/shop data.password']),
      names: [],
    })

  test('J24: a value that was chosen at random is not chosen again after a fault', () => {
    const reference = outcomeOf(secretWith('a'), secretWith('a'))
    expect(judge(outcomeOf(secretWith('b'), secretWith('c')), reference)?.summary).toBe(
      'data.password of the Secret default/shop is "c" instead of "b"',
    )
    expect(judge(outcomeOf(secretWith('b'), secretWith('b')), reference)).toBeUndefined()
  })

  test('J24: what changes without a fault as well may change', () => {
    const reference = outcomeOf(secretWith('a', 1), secretWith('a', 2))
    expect(judge(outcomeOf(secretWith('b', 1), secretWith('b', 3)), reference)).toBeUndefined()
  })

  const expects = { type: 'held', object, finalizer: 'example.com/other' } as const
  const edit: Step = { step: 'edit', object, path: ['metadata', 'finalizers'], value: ['example.com/other'] }
  const held: Trial = { class: 'foreign-field-lost', story: [edit], reference: [], expects }
  const left = (...finalizers: string[]): Outcome =>
    ({
      requests: [],
      objects: [{ kind: 'App', metadata: { namespace: 'default', name: 'shop', finalizers } }],
    }) as unknown as Outcome

  test('J27: the finalizer of another controller is not removed', () => {
    expect(judgeHeld(held, left(), expects)?.class).toBe('foreign-field-lost')
    expect(judgeHeld(held, left('example.com/other'), expects)).toBeUndefined()
  })

  test('J27: a finalizer that the story never set is not missed', () => {
    expect(judgeHeld({ ...held, story: [] }, left(), expects)).toBeUndefined()
  })
})
