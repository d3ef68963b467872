/** The kinds of probes. */
export type ProbeKind = 'startup' | 'readiness' | 'liveness'

/**
 * The state of one probe. Its result changes only after a number of equal outcomes in a row. Until there is a
 * result, a container counts as alive, not ready and not started.
 */
export class ProbeState {
  readonly #thresholds: { readonly success: number; readonly failure: number }
  #ok: boolean | undefined
  #run = { ok: true, length: 0 }

  constructor(thresholds: { success: number; failure: number }) {
    this.#thresholds = thresholds
  }

  /** `undefined` until a threshold was reached. */
  get ok(): boolean | undefined {
    return this.#ok
  }

  /** Records an outcome. Returns whether the result has changed. */
  record(ok: boolean): boolean {
    this.#run = { ok, length: this.#run.ok === ok ? this.#run.length + 1 : 1 }
    const needed = ok ? this.#thresholds.success : this.#thresholds.failure
    if (this.#run.length < needed || this.#ok === ok) return false
    this.#ok = ok
    return true
  }
}
