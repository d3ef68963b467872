import type { CheckOptions } from '../options/index.ts'
import {
  changed,
  changeFaultTrials,
  combinations,
  deletion,
  deletionTrials,
  disturbanceTrials,
  downtimeTrials,
  faultTrials,
  foreignTrials,
  growthTrials,
  historyTrials,
  isolationTrials,
  mergedEventTrials,
  momentTrials,
  mutationsOf,
  overlapTrials,
  podTrials,
  referenceTrials,
  restarted,
  restartFaultTrials,
  rightsTrials,
  staleProcessTrials,
  staleTrials,
  truthTrials,
  undisturbed,
  type PlayedChange,
  type Subject,
} from '../explore/index.ts'
import {
  expectedOf,
  judgeAlone,
  judgeMachineUse,
  says,
  type Expected,
  type Finding,
  type Trial,
} from '../judgements/index.ts'
import { nameOf, type PlainObject, type Story } from '../stories/index.ts'
import { noteOfFrequentWork } from './frequent-work.ts'
import {
  compare,
  MachineWatch,
  play,
  watchedKinds,
  withStableNames,
  WorldChain,
  type ChainStart,
  type CheckedOperator,
  type MachineUse,
  type Outcome,
} from '../world/index.ts'

/** A trial with its number, by which it can be played again. */
export interface NumberedTrial extends Trial {
  readonly number: number
  /** Is played after this trial, if the operator has done something new in it. Its number comes after those of all other trials. */
  readonly further?: NumberedTrial
}

/** The trials of one sample. */
export interface SamplePlan {
  readonly start: ChainStart
  /** Whether the state changes by the passing of time alone. */
  readonly isTimeDriven: boolean
  /** The expected outcome where the sample is left alone. */
  readonly undisturbed: Expected
  readonly trials: readonly NumberedTrial[]
}

/** Trials that are tried one after the other in one world. */
export interface Chunk {
  readonly index: number
  readonly sample: SamplePlan
  readonly trials: readonly NumberedTrial[]
}

/** Everything that a check tries. It depends on the operator, the options and the seed alone, so that every thread makes the same. */
export interface Plan {
  readonly samples: readonly SamplePlan[]
  /** Findings of runs without a fault. */
  readonly findings: readonly Finding[]
  /** The properties of the samples that make the check slow or its findings doubtful. */
  readonly notes: readonly string[]
  readonly chunks: readonly Chunk[]
  /** How many stories were played to make it. */
  readonly runs: number
}

/** How many trials share a world: more in a long check, in which even large chunks leave every thread enough to do. */
const [SHORTEST_CHUNK, LONGEST_CHUNK] = [32, 128]
/** Up to this number of chunks, a sample has chunks of the shortest size; more trials make them larger. */
const CHUNKS = 16
/** How many changes of the spec are tried together with faults. */
const CHANGES = 3

export async function makePlan(checked: CheckedOperator, options: CheckOptions): Promise<Plan> {
  const planner = new Planner(checked, options)
  for (const sample of checked.samples) await planner.add(sample)
  return planner.plan()
}

/** A trial whose further trial has no number yet, since further trials are numbered after all others. */
interface UnnumberedFurther extends Trial {
  readonly number: number
  readonly further?: Trial
}

type PlannedSample = Omit<SamplePlan, 'trials'> & { readonly trials: readonly UnnumberedFurther[] }

class Planner {
  readonly #checked: CheckedOperator
  readonly #options: CheckOptions
  readonly #samples: PlannedSample[] = []
  readonly #findings: Finding[] = []
  readonly #notes: string[] = []
  #runs = 0
  #number = 0

  constructor(checked: CheckedOperator, options: CheckOptions) {
    this.#checked = checked
    this.#options = options
  }

  async add(sample: PlainObject): Promise<void> {
    const { needs } = this.#checked
    const story = undisturbed(sample, needs)
    const { outcome, uses } = await this.#playWatched(story)
    if (outcome.refusal) {
      this.#findings.push({
        class: 'check-failed',
        ...says({ fact: 'sample refused', object: nameOf(sample), message: outcome.refusal.message }),
        story,
        differences: [],
        root: `refused ${nameOf(sample)}`,
      })
      return
    }
    const alone = judgeAlone(story, outcome)
    const used = judgeMachineUse(story, uses)
    this.#findings.push(...[alone?.finding, used].filter((finding) => finding !== undefined))
    if (alone?.isUnsettled) return
    const plain = await this.#play(story)
    const varied = await this.#play(story, { variation: 7 })
    const later = await this.#play([...story, { step: 'wait', duration: '1h' }])
    const expected = expectedOf(plain, varied)
    const { varying, names } = expected
    const { state: settled } = expected.outcome
    const isTimeDriven = compare(settled, withStableNames(later.state, names), varying).length > 0
    if (isTimeDriven) this.#notes.push(...noteOfFrequentWork(sample, later))
    const start: ChainStart = { needs, sample, settled, varying, names }
    const subject = await this.#subject(start, outcome, isTimeDriven)
    const deleted = await this.#play(deletion(sample, needs), { rights: this.#rights })
    const single = [...trialsOf(subject, deleted)]
    if (this.#rights === 'declared') single.push(...rightsTrials(subject))
    const { seed = 1, combinations: count = 40 } = this.#options
    const trials = [...single, ...combinations(single, story, seed, count)]
    this.#samples.push({
      start,
      isTimeDriven,
      undisturbed: expected,
      trials: trials.map((trial) => ({ ...trial, number: ++this.#number })),
    })
  }

  /** Numbers the trials that are played only where there is a reason. */
  #numberFurther(trials: readonly UnnumberedFurther[]): NumberedTrial[] {
    return trials.map(({ further, ...trial }) =>
      further ? { ...trial, further: { ...further, number: ++this.#number } } : trial,
    )
  }

  plan(): Plan {
    const { only, trials, seed = 1 } = this.#options
    const chunks: Chunk[] = []
    const samples = this.#samples.map((sample): SamplePlan => ({
      ...sample,
      trials: this.#numberFurther(sample.trials),
    }))
    for (const sample of samples) {
      const ofClass = sample.trials.filter((trial) => !only || only.includes(trial.class))
      const wanted = spread(ofClass, trials ?? ofClass.length, seed)
      const length = chunkLength(wanted.length)
      for (let first = 0; first < wanted.length; first += length) {
        chunks.push({ index: chunks.length, sample, trials: wanted.slice(first, first + length) })
      }
    }
    // Problems without any fault are always reported, whatever classes were asked for: they change the meaning of all other findings.
    return {
      samples,
      findings: this.#findings,
      notes: this.#notes,
      chunks,
      runs: this.#runs,
    }
  }

  get #rights(): 'declared' | 'all' {
    return this.#options.rights ?? 'declared'
  }

  async #subject(start: ChainStart, outcome: Outcome, isTimeDriven: boolean): Promise<Subject> {
    const { own, operator, needs, external } = this.#checked
    const { sample } = start
    const { controllers } = operator
    const { schema } = own.find(({ kind }) => kind === sample.kind)!
    const mutations = mutationsOf(sample, schema)
    await using chain = new WorldChain(this.#checked, start)
    const playSettled = (story: Story): Promise<Outcome> => {
      if (isTimeDriven || external.length > 0) return this.#play(story)
      this.#runs++
      return chain.play(story)
    }
    return {
      sample,
      needs,
      outcome,
      mutations,
      changes: await this.#changesOf(sample, mutations, playSettled),
      restarted: await playSettled(restarted(sample, needs)),
      watched: watchedKinds(controllers),
      managers: new Set(controllers.map(({ name }) => name)),
      keeps: (this.#options.keeps ?? []).map(({ kind }) => kind),
      hasVaryingFields: (this.#options.varies ?? []).length > 0,
    }
  }

  /** Plays the first changes that the server accepts. */
  async #changesOf(
    sample: PlainObject,
    mutations: readonly PlainObject[],
    playSettled: (story: Story) => Promise<Outcome>,
  ): Promise<PlayedChange[]> {
    const changes: PlayedChange[] = []
    for (const object of mutations) {
      if (changes.length === CHANGES) break
      const outcome = await playSettled(changed(sample, this.#checked.needs, object))
      if (!outcome.refusal) changes.push({ object, outcome })
    }
    return changes
  }

  /** Plays the undisturbed story, and records how the operator uses the machine. */
  async #playWatched(story: Story): Promise<{ outcome: Outcome; uses: readonly MachineUse[] }> {
    using watch = new MachineWatch()
    const outcome = await this.#play(story, { restartAtEnd: true, rights: this.#rights })
    return { outcome, uses: watch.uses }
  }

  async #play(...[story, options]: Tail<Parameters<typeof play>>): Promise<Outcome> {
    this.#runs++
    return play(this.#checked, story, options)
  }
}

type Tail<Parameters extends unknown[]> = Parameters extends [unknown, ...infer Rest] ? Rest : never

/** How many trials of a sample share a world. It does not depend on the threads, so that the report does not either. */
function chunkLength(trials: number): number {
  return Math.min(Math.max(SHORTEST_CHUNK, Math.ceil(trials / CHUNKS)), LONGEST_CHUNK)
}

/** At most this number of the trials, evenly spread. */
function spread(trials: readonly NumberedTrial[], most: number, seed: number): readonly NumberedTrial[] {
  if (trials.length <= most) return trials
  const step = trials.length / most
  const chosen = new Set(
    Array.from({ length: most }, (_, index) => (Math.floor(index * step) + seed) % trials.length),
  )
  return trials.filter((_, index) => chosen.has(index))
}

function* trialsOf(subject: Subject, deleted: Outcome): Generator<Trial> {
  yield* faultTrials(subject)
  yield* disturbanceTrials(subject)
  yield* historyTrials(subject)
  yield* changeFaultTrials(subject)
  yield* momentTrials(subject)
  yield* restartFaultTrials(subject)
  yield* deletionTrials(subject, deleted)
  yield* staleTrials(subject)
  yield* isolationTrials(subject)
  yield* foreignTrials(subject)
  yield* referenceTrials(subject)
  yield* podTrials(subject)
  yield* downtimeTrials(subject)
  yield* overlapTrials(subject)
  yield* mergedEventTrials(subject)
  yield* truthTrials(subject)
  yield* staleProcessTrials(subject)
  yield* growthTrials(subject)
}
