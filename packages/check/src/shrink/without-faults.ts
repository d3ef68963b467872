import type { Expectation, FindingClass, Trial } from '../judgements/index.ts'
import type { Step, Story } from '../stories/index.ts'

/**
 * What a trial is without its crashes and failures, in the class of what is left; `undefined` where it has none of them, or where
 * nothing but an undisturbed run is left.
 */
export function withoutFaults(trial: Trial): Trial | undefined {
  if (trial.expects.type !== 'same' && trial.expects.type !== 'gone') return undefined
  const story = trial.story.filter((step) => !isFault(step))
  if (story.length === trial.story.length) return undefined
  const left = classOf(story, trial.expects)
  return left && { ...trial, class: left, story }
}

function isFault({ step }: Step): boolean {
  return step === 'crash' || step === 'fail' || step === 'slow'
}

function classOf(story: Story, { type }: Expectation): FindingClass | undefined {
  const has = (...steps: Step['step'][]): boolean => story.some(({ step }) => steps.includes(step))
  if (has('delete')) return type === 'gone' ? 'left-behind' : 'recreation'
  if (has('remove', 'edit')) return 'not-healed'
  return has('change') ? 'history' : undefined
}
