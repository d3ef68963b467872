import { milliseconds } from '@homeostat/api'
import type { CheckOptions, FinalState, VaryingField } from '../options/index.ts'
import { undisturbed } from '../explore/index.ts'
import {
  exactly,
  expectedOf,
  isMeaningful,
  judge,
  judgeMistake,
  judgeReference,
  type Expectation,
  type Expected,
  type Finding,
  type FindingClass,
  type Trial,
} from '../judgements/index.ts'
import { REST_DURATION, type Step, type Story } from '../stories/index.ts'
import {
  play,
  digestOfState,
  WorldChain,
  type CheckedOperator,
  type Difference,
  type Outcome,
  type State,
  type WorldOptions,
} from '../world/index.ts'
import type { Chunk, SamplePlan } from './plan.ts'
import { RequestSequences } from './request-sequences.ts'

/** A trial of a chunk that may show something. */
export interface Suspect {
  readonly number: number
  readonly root: string
}

/** The results of a chunk. */
export interface ChunkResult {
  readonly index: number
  readonly runs: number
  readonly discarded: number
  readonly suspects: readonly Suspect[]
  /** Digests of the states in which its stories ended. */
  readonly states: readonly string[]
}

/** The judgement of a trial: `undefined` where the run shows nothing. */
export type Judged = TrialJudgement | undefined

interface TrialJudgement {
  readonly finding: Finding | undefined
  /** The simulated milliseconds until the operator does its remaining work; 0 where none is left. */
  readonly pending: number
}

/** The facts about the sample of a trial. */
type SampleFacts = Pick<SamplePlan, 'isTimeDriven'> & Partial<SamplePlan>

type PlayStory = (story: Story, options: WorldOptions) => Promise<Outcome>

/** How many runs of one class in a chunk may fail to come to rest. */
const MOST_ENDLESS = 2

/** The outcome of an empty story. */
const NOTHING: Outcome = {
  state: new Map(),
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
}

/** Plays trials of one sample and judges them. */
export class TrialRunner {
  readonly #operator: CheckedOperator
  readonly #options: CheckOptions
  #references: Map<string, PlayedReference> | undefined
  /** The outcomes of stories in separate worlds, which do not change. */
  readonly #outcomes = new Map<string, Promise<Outcome>>()

  /** How many stories were played in separate worlds. */
  get runs(): number {
    return this.#outcomes.size
  }

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
    const references = knownReferences(sample)
    const states = new Set<string>()
    const sequences = new RequestSequences(sample.undisturbed.outcome)
    const playInChain = async (story: Story, options: WorldOptions): Promise<Outcome> => {
      runs.main++
      const player = options.variation ? varied : chain
      // The passing of time must change the state in the same way in each run.
      const isAlone =
        sample.isTimeDriven || this.#operator.external.length > 0 || options.rights === 'declared'
      const outcome = await (isAlone ? play(this.#operator, story, options) : player.play(story))
      states.add(digestOfState(outcome.state))
      return outcome
    }
    const suspects: Suspect[] = []
    let discarded = 0
    const endless = new Map<FindingClass, number>()
    const waiting = [...trials]
    for (let trial = waiting.shift(); trial; trial = waiting.shift()) {
      if (this.#options.signal?.aborted) break
      // Runs that do not come to rest take long, and further ones of the class hardly show more.
      if ((endless.get(trial.class) ?? 0) >= MOST_ENDLESS) continue
      onTrial(trial.number)
      let isNew = false
      const { story } = trial
      const playNoted = async (played: Story, options: WorldOptions): Promise<Outcome> => {
        const outcome = await playInChain(played, options)
        if (played === story) isNew = sequences.add(outcome)
        return outcome
      }
      const judged = await this.#judge(trial, sample, playNoted, references)
      // From where the operator did something new, one more fault may lead to a fault that two do not show.
      if (judged && !judged.finding && isNew && trial.further) waiting.unshift(trial.further)
      if (!judged) discarded++
      else if (judged.finding) suspects.push({ number: trial.number, root: judged.finding.root })
      if (judged?.finding?.class === 'endless-loop')
        endless.set(trial.class, (endless.get(trial.class) ?? 0) + 1)
    }
    return { index, runs: runs.main, discarded, suspects, states: [...states] }
  }

  /**
   * Plays one trial in a separate world. A fault may delay work that is due later: if such work is left, only
   * differences count that are still there after it.
   */
  async alone(trial: Trial, sample: SampleFacts): Promise<Judged> {
    const judged = await this.#alone(trial, sample)
    if (!judged?.finding || judged.pending === 0 || !trial.story.some(isDelay)) return judged
    if (judged.finding.differences.length === 0 || trial.expects.type === 'not ahead') return judged
    const longer = (story: Story): Story => [
      ...story,
      { step: 'wait', duration: `${judged.pending}ms` },
      { step: 'rest' },
    ]
    const { story, reference } = trial
    const later = await this.#alone({ ...trial, story: longer(story), reference: longer(reference) }, sample)
    return later?.finding ? judged : { finding: undefined, pending: 0 }
  }

  #alone(trial: Trial, sample: SampleFacts): Promise<Judged> {
    const playAlone = (story: Story, options: WorldOptions): Promise<Outcome> => {
      const { rights = 'all', variation = 0 } = options
      const key = JSON.stringify([rights, variation, story])
      const outcome = this.#outcomes.get(key) ?? play(this.#operator, story, options)
      this.#outcomes.set(key, outcome)
      return outcome
    }
    this.#references ??= knownReferences(sample)
    return this.#judge(trial, sample, playAlone, this.#references)
  }

  async #judge(
    trial: Trial,
    sample: SampleFacts,
    playStory: PlayStory,
    known: Map<string, PlayedReference>,
  ): Promise<Judged> {
    const rights = trial.expects.type === 'allowed' ? 'declared' : 'all'
    const outcome = await playStory(trial.story, { rights })
    if (!isMeaningful(trial.story, outcome)) return undefined
    // Where time itself is repeated, the shorter story must not get the same time.
    const repeatsTime = trial.expects.type === 'bounded' && trial.story.at(-1)?.step === 'wait'
    const isPadded = sample.isTimeDriven && !repeatsTime
    const reference = isPadded ? padded(trial.reference, durationOf(trial.story)) : trial.reference
    const key = JSON.stringify(reference)
    const played = known.get(key) ?? new PlayedReference(reference, playStory)
    known.set(key, played)
    const pending = pendingWork(outcome)
    const reached = await played.outcome()
    // Nothing can be compared with a reference that does not come to rest; it is a separate finding.
    const mistake =
      judgeMistake(trial.story, outcome) ??
      judgeMistake(reference, reached) ??
      judgeReference(reference, reached, sample.undisturbed?.outcome)
    if (mistake) return { finding: mistake, pending }
    if (reached.failure || reached.refusal) return { finding: undefined, pending }
    // Where the state equals the reference exactly, it does not matter which places vary.
    if (isExactEnough(trial.expects) && !judge(trial, outcome, exactly(reached)))
      return { finding: undefined, pending }
    const finding = judge(trial, outcome, await played.expected())
    return { finding: finding && this.#withoutIntended(finding, outcome), pending }
  }

  #withoutIntended(finding: Finding, { state }: Outcome): Finding | undefined {
    if (finding.differences.length === 0) return finding
    const { varies = [], final = [] } = this.#options
    if (finding.story.some(isDisturbance) && final.some((one) => isReached(one, state))) return undefined
    const differences = finding.differences.filter((one) => !varies.some((field) => isIntended(field, one)))
    return differences.length > 0 ? { ...finding, differences } : undefined
  }
}

/** The references of a sample whose runs are part of the plan. */
function knownReferences({ start, undisturbed: expected }: SampleFacts): Map<string, PlayedReference> {
  if (!start || !expected) return new Map()
  const story = undisturbed(start.sample, start.needs)
  return new Map([[JSON.stringify(story), PlayedReference.known(expected)]])
}

/** A story that others are compared with. It is played once, and a second time only where it matters what varies between runs. */
class PlayedReference {
  readonly #story: Story
  readonly #play: PlayStory
  #outcome: Promise<Outcome> | undefined
  #expected: Promise<Expected> | undefined

  constructor(story: Story, playStory: PlayStory) {
    this.#story = story
    this.#play = story.length === 0 ? () => Promise.resolve(NOTHING) : playStory
  }

  /** A reference that was played already. */
  static known(expected: Expected): PlayedReference {
    const played = new PlayedReference([], () => Promise.resolve(NOTHING))
    played.#outcome = Promise.resolve(expected.outcome)
    played.#expected = Promise.resolve(expected)
    return played
  }

  outcome(): Promise<Outcome> {
    this.#outcome ??= this.#play(this.#story, {})
    return this.#outcome
  }

  expected(): Promise<Expected> {
    this.#expected ??= (async () =>
      expectedOf(await this.outcome(), await this.#play(this.#story, { variation: 7 })))()
    return this.#expected
  }
}

/**
 * Whether a run that equals its reference has succeeded, whatever varies between runs. There are two exceptions: a status
 * that must report a difference has to differ in more than what varies, and growth is measured among stable names.
 */
function isExactEnough(expects: Expectation): boolean {
  if (expects.type === 'healed or told' || expects.type === 'bounded') return false
  return expects.type !== 'contains' || expects.toldBy === undefined
}

/** The longest wait for work that is left to do, in simulated milliseconds. */
const MOST_PENDING = 3_600_000

/** How long it takes until the work is done that the last reconcile of each object has left for later. */
function pendingWork({ reports }: Outcome): number {
  const last = new Map(
    reports.map((report) => [`${report.controller} ${JSON.stringify(report.request)}`, report]),
  )
  const delays = [...last.values()].map(({ next = 0 }) => next)
  return Math.min(Math.max(0, ...delays), MOST_PENDING)
}

/** Whether a step may delay an operator. */
function isDelay({ step }: Step): boolean {
  return step === 'crash' || step === 'fail' || step === 'slow' || step === 'hold' || step === 'stop'
}

/** Whether an operator may ignore the step after an object has reached its final state. */
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

/** The faults at the end of one trial, played in a separate world. */
export async function findingOf(operator: CheckedOperator, trial: Trial): Promise<Finding | undefined> {
  const runner = new TrialRunner(operator, {})
  return (await runner.alone(trial, { isTimeDriven: false }))?.finding
}
