import { describe, expect, test } from 'vitest'
import type { Trial } from '../judgements/index.ts'
import type { Step, Story } from '../stories/index.ts'
import { combinations } from './index.ts'

const object = { apiVersion: 'x.example/v1', kind: 'X', metadata: { name: 'x' } }
const settled: Story = [{ step: 'create', object }, { step: 'rest' }]

function trial(found: Trial['class'], story: Story): Trial {
  return { class: found, story, reference: settled, expects: { type: 'same' } }
}

/** One failing request each. */
const failures = [1, 2, 3, 4, 5].map((request) =>
  trial('failed-request', [{ step: 'fail', request, failure: 500 }, ...settled]),
)
const removal = trial('not-healed', [...settled, { step: 'remove', object: { ...object, name: 'x' } }])

function requestsOf(story: Story): number[] {
  return story.flatMap((step: Step) => (step.step === 'fail' ? [step.request] : []))
}

describe('combinations', () => {
  test('RU21: no story comes twice, also where the same faults are chosen in another order', () => {
    const all = [...combinations(failures, settled, 1, 1_000)].map(({ story }) => requestsOf(story).join())
    // A fault that is chosen twice meets the next request the second time.
    expect(all.toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      '1,2',
      '1,3',
      '1,4',
      '1,5',
      '2,3',
      '2,4',
      '2,5',
      '3,4',
      '3,5',
      '4,5',
      '5,6',
    ])
  })

  test('RU21: as many as are asked for are made, where there are so many', () => {
    const trials = [...failures, removal]
    const few = [...combinations(trials, settled, 1, 6)]
    expect(few).toHaveLength(6)
    expect(new Set(few.map(({ story }) => JSON.stringify(story))).size).toBe(6)
    expect([...combinations(trials, settled, 1, 12)].slice(0, 6)).toEqual(few)
  })

  test('an operator without faults has none', () => {
    expect([...combinations([removal], settled, 1, 10)]).toEqual([])
  })
})
