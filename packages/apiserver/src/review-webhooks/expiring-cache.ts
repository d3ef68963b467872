/** Values that are kept for a time. Beyond its size, the one that was not used for the longest time is dropped. */
export class ExpiringCache<T> {
  readonly #now: () => number
  readonly #size: number
  /** In the order of their last use. */
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>()

  /** `now` is a time in milliseconds. */
  constructor(now: () => number, size: number) {
    this.#now = now
    this.#size = size
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.until <= this.#now()) return undefined
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Keeps a value for a number of milliseconds; zero keeps nothing. */
  set(key: string, value: T, lifetime: number): void {
    this.#entries.delete(key)
    if (lifetime <= 0) return
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= this.#size && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, { value, until: this.#now() + lifetime })
  }
}
