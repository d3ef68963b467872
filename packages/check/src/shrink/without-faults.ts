import type { Expectation, FindingClass, Trial } from '../judgements/index.ts'
import type { Step, Story } from '../stories/index.ts'

/**
 * The trial without its crashes, failures and stale reads, with the class that then fits. `undefined` if it has none of them,
 * or if only an undisturbed run is left.
 */
export function withoutFaults(trial: Trial): Trial | undefined {
  if (!COMPARED.has(trial.expects.type)) return undefined
  const story = trial.story.filter(({ step }) => !FAULTS.has(step))
  if (story.length === trial.story.length) return undefined
  const left = classOf(story, trial.expects)
  return left && { ...trial, class: left, story }
}

/** The expectations that a story without its faults is checked for as well. */
const COMPARED: ReadonlySet<Expectation['type']> = new Set(['same', 'gone', 'spared'])

const FAULTS: ReadonlySet<Step['step']> = new Set(['crash', 'fail', 'slow', 'stale', 'hold', 'release'])

function classOf(story: Story, { type }: Expectation): FindingClass | undefined {
  const has = (...steps: Step['step'][]): boolean => story.some(({ step }) => steps.includes(step))
  if (has('delete')) return type === 'gone' ? 'left-behind' : 'recreation'
  if (has('remove', 'edit')) return 'not-healed'
  return has('change') ? 'history' : undefined
}
