import { describe, expect, test } from 'vitest'
import type { Trial } from '../judgements/index.ts'
import type { Step, Story } from '../stories/index.ts'
import { withoutFaults } from './without-faults.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const create: Step = { step: 'create', object }
const change: Step = { step: 'change', object }
const crash: Step = { step: 'crash', request: 1, moment: 'before' }
const rest: Step = { step: 'rest' }

function trialOf(...story: Story): Trial {
  return { class: 'crash', story, reference: [], expects: { type: 'same' } }
}

describe('a trial without its faults', () => {
  test('SH9, SH10: is of the class of what is left', () => {
    expect(withoutFaults(trialOf(create, rest, crash, change, rest))).toMatchObject({
      class: 'history',
      story: [create, rest, change, rest],
    })
  })

  test('SH10: in which an object is deleted and created again is one of a recreation', () => {
    const remove: Step = { step: 'delete', object: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' } }
    expect(withoutFaults(trialOf(create, rest, crash, remove, create, rest))).toMatchObject({
      class: 'recreation',
    })
  })

  test('SH9: has no stale reads either', () => {
    const stale: Step = { step: 'stale', kind: 'ConfigMap' }
    const hold: Step = { step: 'hold', kind: 'ConfigMap' }
    const release: Step = { step: 'release', kind: 'ConfigMap' }
    const trial = trialOf(create, rest, stale, change, hold, rest, release, rest)
    expect(
      withoutFaults({ ...trial, class: 'stale-cache', expects: { type: 'spared', objects: [] } }),
    ).toMatchObject({
      class: 'history',
      story: [create, rest, change, rest, rest],
    })
  })

  test('SH11: does not exist where only an undisturbed run is left', () => {
    expect(withoutFaults(trialOf(crash, create, rest))).toBeUndefined()
  })

  test('SH11: does not exist where there was no fault', () => {
    expect(withoutFaults(trialOf(create, rest, change, rest))).toBeUndefined()
  })

  test('SH10: in which another client deletes a child is one of healing, and one that ends empty of what is left', () => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }
    expect(
      withoutFaults(trialOf(create, rest, crash, { step: 'remove', object: reference }, rest)),
    ).toMatchObject({
      class: 'not-healed',
    })
    const deletion = trialOf(create, rest, crash, { step: 'delete', object: reference }, rest)
    const expects = { type: 'gone', object: reference, keeps: [] } as const
    expect(withoutFaults({ ...deletion, expects })).toMatchObject({ class: 'left-behind' })
  })

  test('SH11: does not exist where the faults are what is judged', () => {
    const trial = trialOf(create, rest, crash, change, rest)
    expect(withoutFaults({ ...trial, expects: { type: 'steady' } })).toBeUndefined()
  })
})
