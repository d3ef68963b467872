import { checkOptionNames, milliseconds } from '@homeostat/api'
import type { OperatorSource } from 'homeostat'
import { CHECK_OPTIONS, type CheckOptions, type VaryingField } from './check-options.ts'
import {
  deletion,
  deletionTrials,
  disturbanceTrials,
  downtimeTrials,
  faultTrials,
  historyTrials,
  isolationTrials,
  mutationsOf,
  occupiedNameTrials,
  podTrials,
  referenceTrials,
  staleTrials,
  undisturbed,
  type Subject,
} from './explore/index.ts'
import {
  isMeaningful,
  judge,
  judgeAlone,
  type Expected,
  type Finding,
  type Trial,
} from './judgements/index.ts'
import type { CheckReport } from './report/index.ts'
import { shrink } from './shrink/index.ts'
import { nameOf, REST_DURATION, type PlainObject, type Step, type Story } from './stories/index.ts'
import {
  checkedOperator,
  compare,
  play,
  varyingPlaces,
  watchedKinds,
  type CheckedOperator,
  type Difference,
  type Outcome,
} from './world/index.ts'

/**
 * Plays an operator's samples in thousands of worlds in which something goes wrong, and returns the ways in which the
 * operator does not converge: each with the shortest story that shows it.
 */
export async function check(operator: OperatorSource, options: CheckOptions = {}): Promise<CheckReport> {
  checkOptionNames(options, CHECK_OPTIONS)
  const checked = await checkedOperator(operator)
  const run = new Check(checked, options)
  for (const sample of checked.samples) await run.sample(sample, checked.needs)
  return run.report()
}

class Check {
  readonly #operator: CheckedOperator
  readonly #options: CheckOptions
  readonly #expected = new Map<string, Promise<Expected>>()
  readonly #findings = new Map<string, Finding>()
  readonly #samples: string[] = []
  #runs = 0
  #discarded = 0
  #class: Finding['class'] = 'endless-loop'
  /** Whether the state of a sample changes by the passing of time alone. */
  #timeDriven = false

  constructor(operator: CheckedOperator, options: CheckOptions) {
    this.#operator = operator
    this.#options = options
  }

  async sample(sample: PlainObject, needs: readonly PlainObject[]): Promise<void> {
    this.#samples.push(nameOf(sample))
    const story = undisturbed(sample, needs)
    const outcome = await this.#play(story, { restartAtEnd: true, rights: 'declared' })
    if (outcome.refusal) return this.#addRefused(sample, story, outcome.refusal.message)
    const alone = judgeAlone(story, outcome)
    if (alone) this.#add(alone)
    if (outcome.failure) return
    const later = await this.#play([...story, { step: 'wait', duration: '1h' }])
    const { varying } = await this.#expectedOf(story)
    this.#timeDriven = compare(outcome.state, later.state, varying).length > 0
    for await (const trial of this.#trials(this.#subject(sample, needs, outcome))) {
      if (this.#options.signal?.aborted) return
      await this.#try(trial)
    }
  }

  report(): CheckReport {
    const { keeps = [], varies = [], signal } = this.#options
    return {
      findings: [...this.#findings.values()],
      runs: this.#runs,
      discarded: this.#discarded,
      samples: this.#samples,
      intents: [...keeps, ...varies],
      ended: signal?.aborted ?? false,
    }
  }

  #subject(sample: PlainObject, needs: readonly PlainObject[], outcome: Outcome): Subject {
    const { kinds, controllers } = this.#operator.operator
    const { schema } = kinds.find(({ kind }) => kind === sample.kind)!
    return {
      sample,
      needs,
      outcome,
      mutations: mutationsOf(sample, schema),
      watched: watchedKinds(controllers),
      managers: new Set(controllers.map(({ name }) => name)),
      keeps: (this.#options.keeps ?? []).map(({ kind }) => kind),
    }
  }

  async *#trials(subject: Subject): AsyncGenerator<Trial> {
    yield* faultTrials(subject)
    yield* disturbanceTrials(subject)
    yield* historyTrials(subject)
    const { sample, needs } = subject
    yield* deletionTrials(subject, await this.#play(deletion(sample, needs), { rights: 'declared' }))
    yield* staleTrials(subject)
    yield* isolationTrials(subject)
    yield* occupiedNameTrials(subject)
    yield* referenceTrials(subject)
    yield* podTrials(subject)
    yield* downtimeTrials(subject)
  }

  async #try(trial: Trial): Promise<void> {
    const { only } = this.#options
    if (only && !only.includes(trial.class)) return
    this.#class = trial.class
    const finding = await this.#judged(trial)
    if (!finding) return
    const known = this.#findings.get(finding.root)
    if (known) {
      this.#findings.set(finding.root, { ...known, others: (known.others ?? 0) + 1 })
      return
    }
    const smallest = await shrink(
      trial,
      async (smaller) => (await this.#judged(smaller))?.root === finding.root,
    )
    this.#add((await this.#judged(smallest)) ?? finding)
  }

  async #judged(trial: Trial): Promise<Finding | undefined> {
    const outcome = await this.#play(trial.story)
    if (!isMeaningful(trial.story, outcome)) {
      this.#discarded++
      return undefined
    }
    const reference = this.#timeDriven ? padded(trial.reference, durationOf(trial.story)) : trial.reference
    const expected = await this.#expectedOf(reference)
    // A reference that does not come to rest is no measure; it is a finding of its own.
    if (expected.outcome.failure || expected.outcome.refusal) return undefined
    const finding = judge(trial, outcome, expected)
    return finding && this.#withoutIntended(finding)
  }

  #withoutIntended(finding: Finding): Finding | undefined {
    if (finding.differences.length === 0) return finding
    const { varies = [] } = this.#options
    const differences = finding.differences.filter((one) => !varies.some((field) => isIntended(field, one)))
    return differences.length > 0 ? { ...finding, differences } : undefined
  }

  #expectedOf(story: Story): Promise<Expected> {
    const key = JSON.stringify(story)
    let expected = this.#expected.get(key)
    if (!expected) {
      expected = this.#measure(story)
      this.#expected.set(key, expected)
    }
    return expected
  }

  async #measure(story: Story): Promise<Expected> {
    const outcome = await this.#play(story)
    const again = await this.#play(story, { variation: 7 })
    return { outcome, varying: varyingPlaces(outcome.state, again.state) }
  }

  async #play(story: Story, options?: Parameters<typeof play>[2]): Promise<Outcome> {
    const outcome = await play(this.#operator, story, options)
    this.#runs++
    this.#options.onProgress?.({ runs: this.#runs, class: this.#class, findings: this.#findings.size })
    return outcome
  }

  #add(finding: Finding): void {
    if (!this.#findings.has(finding.root)) this.#findings.set(finding.root, finding)
  }

  #addRefused(sample: PlainObject, story: Story, message: string): void {
    this.#add({
      class: 'check-failed',
      summary: `the server refuses the sample ${nameOf(sample)}: ${message}`,
      story,
      differences: [],
      root: `refused ${nameOf(sample)}`,
    })
  }
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
  if (step.step === 'rest') return milliseconds(REST_DURATION)
  return step.step === 'wait' ? milliseconds(step.duration) : 0
}

/** The story, with as much time at its end as another takes. */
function padded(story: Story, duration: number): Story {
  const missing = duration - durationOf(story)
  return missing > 0 ? [...story, { step: 'wait', duration: `${missing}ms` }] : story
}
