import { checkOptionNames, HomeostatError } from '@homeostat/api'
import type { OperatorSource } from 'homeostat'
import { isSameRoot, says, type Expectation, type Finding } from './judgements/index.ts'
import { CHECK_OPTIONS, type CheckOptions } from './options/index.ts'
import { findingText, type CheckReport } from './report/index.ts'
import {
  findingOf,
  LocalTrialHost,
  type ChunkResult,
  type Confirmation,
  type PlanSummary,
  type TrialHost,
} from './run/index.ts'
import type { Story } from './stories/index.ts'
import { checkedOperator } from './world/index.ts'

/**
 * Plays an operator's samples in thousands of runs in which something goes wrong. Returns the ways in which the
 * operator does not converge, each with the shortest story that shows it.
 */
export async function check(operator: OperatorSource, options: CheckOptions = {}): Promise<CheckReport> {
  checkOptionNames(options, CHECK_OPTIONS)
  return checkBy([new LocalTrialHost(operator, options)], options)
}

/** Checks with several hosts at once. The report does not depend on the number of hosts. */
export async function checkBy(hosts: readonly TrialHost[], options: CheckOptions): Promise<CheckReport> {
  const [first] = hosts
  if (!first) throw new RangeError('a check needs a host')
  const planned = first.plan()
  if (options.replay === undefined) {
    // Each host makes the plan itself, all at the same time. An error there is reported with its first chunk.
    for (const host of hosts) host.plan().catch(() => {})
  }
  const plan = await Promise.race([planned, abortOf(options.signal)])
  if (!plan) return endedBeforePlan(options)
  const run = new Check(first, hosts, plan, options)
  await (options.replay === undefined ? run.all() : run.one(options.replay))
  return run.report()
}

/** Resolves when the caller ends the check, without waiting for work under way. */
function abortOf(signal: AbortSignal | undefined): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  if (signal?.aborted) resolve(undefined)
  signal?.addEventListener('abort', () => resolve(undefined), { once: true })
  return promise
}

/** The report of a check that the caller ended before it had a plan. */
function endedBeforePlan({ seed = 1 }: CheckOptions): CheckReport {
  return { findings: [], runs: 0, discarded: 0, states: 0, samples: [], seed, intents: [], ended: true }
}

/** The saved progress of a check that may be ended. */
interface Kept {
  readonly fingerprint: string
  readonly chunks: readonly ChunkResult[]
  readonly confirmed: readonly (readonly [number: number, Confirmation])[]
}

class Check {
  readonly #first: TrialHost
  readonly #hosts: readonly TrialHost[]
  readonly #plan: PlanSummary
  readonly #options: CheckOptions
  readonly #findings = new Map<string, Finding>()
  /** Roots of suspects whose finding turned out to have another root. */
  readonly #otherRoots = new Map<string, string>()
  readonly #chunks = new Map<number, ChunkResult>()
  readonly #confirmed = new Map<number, Confirmation>()
  #runs: number
  #discarded = 0
  readonly #states = new Set<string>()
  #isGivenUp = false

  constructor(first: TrialHost, hosts: readonly TrialHost[], plan: PlanSummary, options: CheckOptions) {
    this.#first = first
    this.#hosts = hosts
    this.#plan = plan
    this.#options = options
    this.#runs = plan.runs
    for (const finding of plan.findings) this.#add(finding)
    this.#recall()
  }

  /** Plays all chunks. Judges them in their order, even if they finish in another order. */
  async all(): Promise<void> {
    this.#tell()
    const waiting = this.#plan.chunks
      .keys()
      .filter((index) => !this.#chunks.has(index))
      .toArray()
    let judged = 0
    let isJudging = false
    const judgeDone = async (host: TrialHost): Promise<void> => {
      for (let done = this.#chunks.get(judged); done && !this.#isEnded; done = this.#chunks.get(++judged)) {
        await this.#judge(done, host)
      }
    }
    const work = async (host: TrialHost): Promise<void> => {
      for (let index = waiting.shift(); index !== undefined && !this.#isEnded; index = waiting.shift()) {
        const result = await host.chunk(index).catch((error: unknown) => this.#giveUp(error))
        if (this.#isEnded || !result) break
        this.#chunks.set(index, result)
        this.#keep()
        // One host judges at a time, while the others continue to play.
        if (isJudging) continue
        isJudging = true
        await judgeDone(host)
        isJudging = false
      }
    }
    const done = Promise.all(this.#hosts.map(work)).then(() => judgeDone(this.#first))
    await Promise.race([done, abortOf(this.#options.signal)])
  }

  /** An operator that blocks or ends its thread ends the check; the findings so far are reported. */
  #giveUp(error: unknown): undefined {
    if (!(error instanceof HomeostatError)) throw error
    this.#isGivenUp = true
    const { code, message } = error
    this.#add({
      class: 'check-failed',
      ...says({ fact: 'message', message }),
      story: [],
      differences: [],
      root: code,
    })
  }

  /** Plays one trial, alone. */
  async one(number: number): Promise<void> {
    this.#findings.clear()
    const { finding, runs } = await this.#first.confirm(number)
    this.#runs += runs
    if (finding) this.#add(finding)
  }

  report(): CheckReport {
    const { replay, seed = 1 } = this.#options
    return {
      findings: [...this.#findings.values()],
      runs: this.#runs,
      discarded: this.#discarded,
      states: this.#states.size,
      samples: this.#plan.samples,
      seed,
      intents: this.#plan.intents,
      ended: replay === undefined && this.#isEnded && this.#chunks.size < this.#plan.chunks.length,
    }
  }

  get #isEnded(): boolean {
    return this.#isGivenUp || (this.#options.signal?.aborted ?? false)
  }

  async #judge({ runs, discarded, suspects, states }: ChunkResult, host: TrialHost): Promise<void> {
    this.#runs += runs
    this.#discarded += discarded
    for (const state of states) this.#states.add(state)
    for (const { number, root } of suspects) {
      if (this.#isEnded) return
      if (this.#count(root)) continue
      const confirmation =
        this.#confirmed.get(number) ??
        (await host.confirm(number).catch((error: unknown) => this.#giveUp(error)))
      if (!confirmation) return
      this.#confirmed.set(number, confirmation)
      this.#runs += confirmation.runs
      const { finding } = confirmation
      const known = finding && (this.#sameFault(finding) ?? finding).root
      if (known !== undefined && known !== root) this.#otherRoots.set(root, known)
      if (finding && !this.#count(known ?? root)) this.#add(finding)
      this.#keep()
    }
    this.#tell()
  }

  /** Counts a further story of a finding that is known. */
  #count(root: string): boolean {
    const known = this.#findings.get(this.#otherRoots.get(root) ?? root)
    if (known) this.#findings.set(known.root, { ...known, others: (known.others ?? 0) + 1 })
    return known !== undefined
  }

  /** The known finding that has the same root although its root text differs. */
  #sameFault(finding: Finding): Finding | undefined {
    return [...this.#findings.values()].find((known) => isSameRoot(known, finding))
  }

  #add(finding: Finding): void {
    if (!this.#findings.has(finding.root)) this.#findings.set(finding.root, finding)
  }

  #tell(): void {
    const { chunks } = this.#plan
    const done = chunks.filter((_, index) => this.#chunks.has(index))
    this.#options.onProgress?.({
      runs: this.#runs,
      trials: done.reduce((sum, { trials }) => sum + trials, 0),
      planned: chunks.reduce((sum, { trials }) => sum + trials, 0),
      class: chunks[Math.min(this.#chunks.size, chunks.length - 1)]?.class ?? 'endless-loop',
      states: this.#states.size,
      findings: this.#findings.size,
      notes: this.#plan.notes,
    })
  }

  #recall(): void {
    const text = this.#options.memory?.read()
    if (text === undefined) return
    const kept = JSON.parse(text) as Kept
    if (kept.fingerprint !== this.#plan.fingerprint) return
    for (const chunk of kept.chunks) this.#chunks.set(chunk.index, chunk)
    for (const [number, confirmation] of kept.confirmed) this.#confirmed.set(number, confirmation)
  }

  #keep(): void {
    const { memory } = this.#options
    if (!memory) return
    const kept: Kept = {
      fingerprint: this.#plan.fingerprint,
      chunks: [...this.#chunks.values()],
      confirmed: [...this.#confirmed],
    }
    memory.write(JSON.stringify(kept))
  }
}

/** A story, the reference that its final state is compared with, and the class of finding to look for. */
export interface StoryTest extends Pick<Finding, 'class' | 'story'> {
  readonly reference: Story
  readonly expects: Expectation
}

/**
 * Plays one story. Returns the problem of its final state, or `undefined`. `homeostat check --write-test` writes
 * tests that call it.
 */
export async function tryStory(operator: OperatorSource, story: StoryTest): Promise<string | undefined> {
  const finding = await findingOf(await checkedOperator(operator), story)
  return finding && findingText(finding)
}
