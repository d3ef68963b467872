import { describe, expect, test } from 'vitest'
import type { Step } from '../stories/index.ts'
import { rootOf } from './root.ts'
import type { Trial } from './trial.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const rest: Step = { step: 'rest' }
const change: Step = { step: 'change', object }
const crash: Step = { step: 'crash', request: 1, moment: 'before' }
const other = { object: 'Job default/a', path: 'spec.x', expected: 1, found: 2 }
const extra = { object: 'Job default/a-2', path: '', expected: undefined, found: {} }

function trialOf(found: Trial['class'], ...story: Step[]): Trial {
  return { class: found, story, reference: [], expects: { type: 'same' } }
}

describe('roots', () => {
  test('ROOT-1: a child that is not changed and one that is not healed have one root', () => {
    const edit: Step = { step: 'edit', object: { ...object, name: 'a' }, path: ['spec', 'x'], value: 2 }
    expect(rootOf(trialOf('history', change, rest), [other])).toBe(
      rootOf(trialOf('not-healed', edit, rest), [other]),
    )
  })

  test('ROOT-2: an object too much has another root than one that is wrong', () => {
    expect(rootOf(trialOf('history', change, rest), [extra])).not.toBe(
      rootOf(trialOf('history', change, rest), [other]),
    )
  })

  test('ROOT-3: a fault in the work on a change has another root than the change', () => {
    expect(rootOf(trialOf('crash', crash, change, rest), [other])).not.toBe(
      rootOf(trialOf('history', change, rest), [other]),
    )
  })

  test('ROOT-4: what falls due while the operator is down has another root than a change meanwhile', () => {
    const stop: Step = { step: 'stop' }
    expect(rootOf(trialOf('downtime', stop, rest), [other])).not.toBe(
      rootOf(trialOf('downtime', stop, change, rest), [other]),
    )
  })
})
