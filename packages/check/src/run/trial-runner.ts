import { milliseconds } from '@homeostat/api'
import type { CheckOptions, FinalState, VaryingField } from '../options/index.ts'
import { undisturbed } from '../explore/index.ts'
import {
  isMeaningful,
  judge,
  judgeMistake,
  type Expected,
  type Finding,
  type Trial,
} from '../judgements/index.ts'
import { REST_DURATION, type Step, type Story } from '../stories/index.ts'
import {
  play,
  digestOfState,
  varyingPlaces,
  WorldChain,
  type CheckedOperator,
  type Difference,
  type Outcome,
  type State,
} from '../world/index.ts'
import type { Chunk, SamplePlan } from './plan.ts'

/** A trial of a chunk that may show something. */
export interface Suspect {
  readonly number: number
  readonly root: string
}

/** What came of a chunk. */
export interface ChunkResult {
  readonly index: number
  readonly runs: number
  readonly discarded: number
  readonly suspects: readonly Suspect[]
  /** Digests of the states in which its stories ended. */
  readonly states: readonly string[]
}

/** What a trial shows: `undefined` where the run says nothing. */
export type Judged = { readonly finding: Finding | undefined } | undefined

/** Plays trials and judges them. */
export class TrialRunner {
  readonly #operator: CheckedOperator
  readonly #options: CheckOptions
  readonly #expected = new Map<string, Promise<Expected>>()
  /** How many stories were played in worlds of their own. */
  runs = 0

  constructor(operator: CheckedOperator, options: CheckOptions) {
    this.#operator = operator
    this.#options = options
  }

  /** Plays the trials of a chunk in one world, and names those that may show something. */
  async chunk(
    { index, sample, trials }: Chunk,
    onTrial: (number: number) => void = () => {},
  ): Promise<ChunkResult> {
    const runs = { main: 0 }
    await using chain = new WorldChain(this.#operator, sample.start)
    await using varied = new WorldChain(this.#operator, sample.start, { variation: 7 })
    const { needs, sample: object } = sample.start
    const expected = new Map([
      [JSON.stringify(undisturbed(object, needs)), Promise.resolve(sample.undisturbed)],
    ])
    const states = new Set<string>()
    const playInChain = async (story: Story, variation: number): Promise<Outcome> => {
      runs.main++
      const player = variation === 0 ? chain : varied
      // What time does to the state must be the same in each run.
      const isAlone = sample.isTimeDriven || this.#operator.external.length > 0
      const outcome = await (isAlone ? play(this.#operator, story, { variation }) : player.play(story))
      states.add(digestOfState(outcome.state))
      return outcome
    }
    const suspects: Suspect[] = []
    let discarded = 0
    for (const trial of trials) {
      if (this.#options.signal?.aborted) break
      onTrial(trial.number)
      const judged = await this.#judge(trial, sample, playInChain, expected)
      if (!judged) discarded++
      else if (judged.finding) suspects.push({ number: trial.number, root: judged.finding.root })
    }
    return { index, runs: runs.main, discarded, suspects, states: [...states] }
  }

  /** Plays one trial in a world of its own. */
  alone(trial: Trial, sample: Pick<SamplePlan, 'isTimeDriven'>): Promise<Judged> {
    const playAlone = (story: Story, variation: number): Promise<Outcome> => {
      this.runs++
      return play(this.#operator, story, { variation })
    }
    return this.#judge(trial, sample, playAlone, this.#expected)
  }

  async #judge(
    trial: Trial,
    sample: Pick<SamplePlan, 'isTimeDriven'>,
    playStory: (story: Story, variation: number) => Promise<Outcome>,
    known: Map<string, Promise<Expected>>,
  ): Promise<Judged> {
    const outcome = await playStory(trial.story, 0)
    if (!isMeaningful(trial.story, outcome)) return undefined
    // Where time itself is repeated, the shorter story must not get the same time.
    const repeatsTime = trial.expects.type === 'bounded' && trial.story.at(-1)?.step === 'wait'
    const isPadded = sample.isTimeDriven && !repeatsTime
    const reference = isPadded ? padded(trial.reference, durationOf(trial.story)) : trial.reference
    const key = JSON.stringify(reference)
    let expected = known.get(key)
    if (!expected) {
      expected = measure(reference, playStory)
      known.set(key, expected)
    }
    const { outcome: reached, varying } = await expected
    const mistake = judgeMistake(trial.story, outcome) ?? judgeMistake(reference, reached)
    if (mistake) return { finding: mistake }
    // A reference that does not come to rest is not a measure; it is a finding of its own.
    if (reached.failure || reached.refusal) return { finding: undefined }
    const finding = judge(trial, outcome, { outcome: reached, varying })
    return { finding: finding && this.#withoutIntended(finding, outcome) }
  }

  #withoutIntended(finding: Finding, { state }: Outcome): Finding | undefined {
    if (finding.differences.length === 0) return finding
    const { varies = [], final = [] } = this.#options
    if (finding.story.some(isDisturbance) && final.some((one) => isReached(one, state))) return undefined
    const differences = finding.differences.filter((one) => !varies.some((field) => isIntended(field, one)))
    return differences.length > 0 ? { ...finding, differences } : undefined
  }
}

async function measure(
  story: Story,
  playStory: (story: Story, variation: number) => Promise<Outcome>,
): Promise<Expected> {
  const outcome = await playStory(story, 0)
  const again = await playStory(story, 7)
  return { outcome, varying: varyingPlaces(outcome.state, again.state) }
}

/** What an operator need not answer after an object has come to its final state. */
function isDisturbance(one: Step): boolean {
  const { step } = one
  if (step === 'repeat') return one.steps.some(isDisturbance)
  return step === 'change' || step === 'edit' || step === 'remove'
}

/** Whether an object of the state is in a final state. */
function isReached({ kind, path, value }: FinalState, state: State): boolean {
  return [...state.values()].some(
    (object) =>
      object['kind'] === kind && path.split('.').reduce<any>((part, key) => part?.[key], object) === value,
  )
}

function isIntended({ kind, path }: VaryingField, difference: Difference): boolean {
  return (
    difference.object.startsWith(`${kind} `) &&
    (difference.path === path || difference.path.startsWith(`${path}.`))
  )
}

/** How long a story takes, in simulated milliseconds. */
function durationOf(story: Story): number {
  return story.reduce((sum, step) => sum + lengthOf(step), 0)
}

function lengthOf(step: Step): number {
  if (step.step === 'repeat') return step.times * durationOf(step.steps)
  if (step.step === 'rest') return milliseconds(REST_DURATION)
  return step.step === 'wait' ? milliseconds(step.duration) : 0
}

/** The story, with as much time at its end as another takes. */
function padded(story: Story, duration: number): Story {
  const missing = duration - durationOf(story)
  return missing > 0 ? [...story, { step: 'wait', duration: `${missing}ms` }] : story
}

/** The faults at the end of one trial, played in a world of its own. */
export async function findingOf(operator: CheckedOperator, trial: Trial): Promise<Finding | undefined> {
  const runner = new TrialRunner(operator, {})
  return (await runner.alone(trial, { isTimeDriven: false }))?.finding
}
