import { type Clock, type DeepReadonly, type Timer, holdClock } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { CheckResult } from './check.ts'
import { ProbeState, type ProbeKind } from './probe-state.ts'

export interface ProberOptions {
  readonly kind: ProbeKind
  readonly probe: DeepReadonly<CoreV1.Probe>
  readonly clock: Clock
  /** Runs the probe once. The signal aborts when the probe's timeout is over. */
  readonly check: (signal: AbortSignal) => Promise<CheckResult>
  /** Called when the result has changed. */
  readonly onChange: () => void
  /** Called when a regular probe has failed, or could not run. */
  readonly onTrouble: (result: CheckResult) => void
}

const FIRST_EXTRA_LOOK = 100

/**
 * Probes a container at the times that its probe sets. A container that is starting is also probed in between
 * until the first success (after 100 ms, 200 ms, 400 ms …), so that it becomes ready soon. Such extra probes
 * never count as failures.
 */
export class Prober implements Disposable {
  readonly #options: ProberOptions
  readonly #state: ProbeState
  readonly #stop = new AbortController()
  #timer: Timer | undefined
  #everOk = false

  constructor(options: ProberOptions) {
    this.#options = options
    const { probe } = options
    this.#state = new ProbeState({
      success: probe.successThreshold ?? 1,
      failure: probe.failureThreshold ?? 3,
    })
    this.#after((probe.initialDelaySeconds ?? 0) * 1_000, () => this.#tick())
  }

  /** `undefined` while the probe has not decided yet. */
  get ok(): boolean | undefined {
    return this.#state.ok
  }

  /** Stops probing. No callback is called afterwards. */
  close(): void {
    this.#timer?.cancel()
    this.#stop.abort()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  get #period(): number {
    return (this.#options.probe.periodSeconds ?? 10) * 1_000
  }

  #after(milliseconds: number, callback: () => Promise<void>): void {
    this.#timer = this.#options.clock.schedule(milliseconds, () => void callback())
  }

  /** A regular probe, which counts. */
  async #tick(): Promise<void> {
    const { clock, onTrouble } = this.#options
    const started = clock.monotonic()
    const result = await this.#look()
    if (!result) return
    if (result.outcome !== 'success') onTrouble(result)
    if (result.outcome !== 'error') this.#record(result.outcome === 'success')
    this.#plan(started + this.#period, FIRST_EXTRA_LOOK)
  }

  /** An additional probe while the container starts. */
  async #extraLook(nextTick: number, next: number): Promise<void> {
    const result = await this.#look()
    if (!result) return
    if (result.outcome === 'success') this.#record(true)
    this.#plan(nextTick, next)
  }

  #plan(nextTick: number, extra: number): void {
    if (this.#stop.signal.aborted) return
    const left = Math.max(0, nextTick - this.#options.clock.monotonic())
    const starting = this.#options.kind !== 'liveness' && !this.#everOk
    if (starting && extra < left) this.#after(extra, () => this.#extraLook(nextTick, extra * 2))
    else this.#after(left, () => this.#tick())
  }

  #record(ok: boolean): void {
    this.#everOk ||= ok
    if (this.#state.record(ok)) this.#options.onChange()
  }

  /** `undefined` when the prober was closed meanwhile. */
  async #look(): Promise<CheckResult | undefined> {
    const { clock, check, kind, probe } = this.#options
    const timeout = new AbortController()
    const timer = clock.schedule((probe.timeoutSeconds ?? 1) * 1_000, () => timeout.abort())
    const look = check(AbortSignal.any([timeout.signal, this.#stop.signal]))
    holdClock(clock, `a ${kind} probe`, look)
    const result = await look.catch((error: unknown) => ({
      outcome: 'error' as const,
      message: String(error),
    }))
    timer.cancel()
    return this.#stop.signal.aborted ? undefined : result
  }
}
