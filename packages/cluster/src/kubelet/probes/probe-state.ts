/** What a probe decides. */
export type ProbeKind = 'startup' | 'readiness' | 'liveness'

/**
 * The standing of one probe: its result changes only after so many equal outcomes in a row. Until there
 * is a result a container counts as not ready, alive, and not yet started.
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

  /** Takes an outcome; says whether the result changed. */
  record(ok: boolean): boolean {
    this.#run = { ok, length: this.#run.ok === ok ? this.#run.length + 1 : 1 }
    const needed = ok ? this.#thresholds.success : this.#thresholds.failure
    if (this.#run.length < needed || this.#ok === ok) return false
    this.#ok = ok
    return true
  }
}
