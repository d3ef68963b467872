import type { Trial } from '../judgements/index.ts'
import type { Step } from '../stories/index.ts'
import { REST, undisturbed, type Subject } from './trials.ts'

/**
 * How often a change is repeated in the shorter story: more often than the number of items that an operator keeps
 * intentionally, such as a history.
 */
const TIMES = 12
/** A repetition consists of two changes; where only time passes, of one. */
const PERIODS = 2 * TIMES
/** How many changes of the spec are tried. */
const CHANGES = 2

/**
 * Repetitions: a change of the spec and back, and time that passes. Other trials (class `history`) find what a
 * single change leaves behind, except in fields that are meant to vary.
 */
export function* growthTrials({
  sample,
  needs,
  mutations,
  outcome,
  hasVaryingFields,
}: Subject): Generator<Trial> {
  const before = undisturbed(sample, needs)
  const growth = { class: 'growth', expects: { type: 'bounded' } } as const
  for (const changed of hasVaryingFields ? mutations.slice(0, CHANGES) : []) {
    const steps: Step[] = [
      { step: 'change', object: changed },
      REST,
      { step: 'change', object: sample },
      REST,
    ]
    const repeat = (times: number): Step => ({ step: 'repeat', times, steps })
    yield { ...growth, story: [...before, repeat(2 * TIMES)], reference: [...before, repeat(TIMES)] }
  }
  const periods = outcome.reports.flatMap(({ result, next }) =>
    result === 'requeueAfter' ? [next ?? 0] : [],
  )
  const period = periods.at(-1)
  if (period === undefined) return
  const wait = (times: number): Step => ({ step: 'wait', duration: `${times * period}ms` })
  yield { ...growth, story: [...before, wait(2 * PERIODS)], reference: [...before, wait(PERIODS)] }
}
