import type { OperatorSource } from 'homeostat'
import type { Finding, FindingClass } from '../judgements/index.ts'
import type { CheckOptions } from '../options/index.ts'
import type { Intent } from '../report/index.ts'
import { shrink, withoutFaults } from '../shrink/index.ts'
import { nameOf } from '../stories/index.ts'
import { checkedOperator, type CheckedOperator } from '../world/index.ts'
import { makePlan, type NumberedTrial, type Plan, type SamplePlan } from './plan.ts'
import { TrialRunner, type ChunkResult } from './trial-runner.ts'

/** A summary of the plan. */
export interface PlanSummary {
  readonly samples: readonly string[]
  /** The behaviour that the author declares as intended. */
  readonly intents: readonly Intent[]
  /** For each chunk how many trials it has, and what its first one looks for. */
  readonly chunks: readonly { readonly trials: number; readonly class: FindingClass }[]
  /** Findings of runs without a fault. */
  readonly findings: readonly Finding[]
  /** The properties of the samples that make the check slow or its findings doubtful. */
  readonly notes: readonly string[]
  readonly runs: number
  /** Equal plans have equal fingerprints. */
  readonly fingerprint: string
}

/** The result of playing a suspect in separate worlds. */
export interface Confirmation {
  /** The finding with its shortest story; `undefined` if the trial shows no fault in a separate world. */
  readonly finding: Finding | undefined
  readonly runs: number
}

/** Plays the trials of an operator, in this thread or in another. */
export interface TrialHost {
  plan(): Promise<PlanSummary>
  /** Plays the trials of a chunk. */
  chunk(index: number): Promise<ChunkResult>
  /** Plays one trial alone, and makes its story as short as it can be. */
  confirm(number: number): Promise<Confirmation>
}

interface HostOptions {
  /** Called with each trial before it is played. */
  readonly onTrial?: (number: number) => void
  readonly code?: string
}

/** Plays trials in this thread. */
export class LocalTrialHost implements TrialHost {
  readonly #source: OperatorSource
  readonly #options: CheckOptions
  readonly #onTrial: (number: number) => void
  #prepared: Promise<{ checked: CheckedOperator; plan: Plan }> | undefined

  /** A digest of the operator's code. It is part of a plan's fingerprint, so that a change of the code changes the fingerprint. */
  readonly #code: string

  constructor(
    source: OperatorSource,
    options: CheckOptions,
    { onTrial = () => {}, code = '' }: HostOptions = {},
  ) {
    this.#source = source
    this.#options = options
    this.#onTrial = onTrial
    this.#code = code
  }

  async plan(): Promise<PlanSummary> {
    const { checked, plan } = await this.#prepare()
    const { findings, notes, chunks, runs } = plan
    const { keeps = [], varies = [], final = [] } = this.#options
    return {
      intents: [...keeps, ...varies, ...final],
      samples: checked.samples.map((sample) => nameOf(sample)),
      chunks: chunks.map(({ trials }) => ({
        trials: trials.length,
        class: trials[0]?.class ?? 'check-failed',
      })),
      findings,
      notes,
      runs,
      fingerprint: await digestOf([
        this.#code,
        plan.samples.map(({ trials }) => trials),
        // Which of them are played, together with which others, and what is a finding.
        chunks.map(({ trials }) => trials.map(({ number }) => number)),
        [keeps, varies, final],
      ]),
    }
  }

  async chunk(index: number): Promise<ChunkResult> {
    const { checked, plan } = await this.#prepare()
    const chunk = plan.chunks[index]
    if (!chunk) throw new RangeError(`there is no chunk ${index}`)
    return new TrialRunner(checked, this.#options).chunk(chunk, this.#onTrial)
  }

  async confirm(number: number): Promise<Confirmation> {
    const { checked, plan } = await this.#prepare()
    const { trial, sample } = trialNumbered(plan, number)
    this.#onTrial(number)
    const runner = new TrialRunner(checked, this.#options)
    const struck = (await runner.alone(trial, sample))?.finding
    if (!struck) return { finding: undefined, runs: runner.runs }
    // A difference that also shows without the fault does not come from it.
    const calm = withoutFaults(trial)
    const unstruck = calm && (await runner.alone(calm, sample))?.finding
    const finding = unstruck ?? struck
    const smallest = await shrink(unstruck ? calm : trial, async (smaller) => {
      this.#onTrial(number)
      return (await runner.alone(smaller, sample))?.finding?.root === finding.root
    })
    const shown = (await runner.alone(smallest, sample))?.finding ?? finding
    const { reference, expects } = smallest
    return { finding: { ...shown, reference, expects, run: number }, runs: runner.runs }
  }

  #prepare(): Promise<{ checked: CheckedOperator; plan: Plan }> {
    this.#prepared ??= (async () => {
      const checked = await checkedOperator(this.#source, declared(this.#options))
      return { checked, plan: await makePlan(checked, this.#options) }
    })()
    return this.#prepared
  }
}

function declared({ invariants = {}, external = [] }: CheckOptions) {
  return { invariants, external }
}

function trialNumbered(plan: Plan, number: number): { trial: NumberedTrial; sample: SamplePlan } {
  let count = 0
  for (const sample of plan.samples) {
    for (const planned of sample.trials) {
      for (const trial of planned.further ? [planned, planned.further] : [planned]) {
        if (trial.number === number) return { trial, sample }
        count++
      }
    }
  }
  throw new RangeError(`there is no run ${number}: this operator has runs 1 to ${count}`)
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
