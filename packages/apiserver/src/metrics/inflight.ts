import type { Exposition } from './exposition.ts'

const KINDS = ['mutating', 'readOnly'] as const
export type RequestKind = (typeof KINDS)[number]

/** How many requests of each kind were under way at the same time, at most, in the last second. */
export class Inflight {
  readonly #now: () => number
  readonly #current = { mutating: 0, readOnly: 0 }
  readonly #most = { mutating: 0, readOnly: 0 }
  #since = 0

  /** `now` is a time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  begin(kind: RequestKind): void {
    this.#forget()
    const count = ++this.#current[kind]
    if (count > this.#most[kind]) this.#most[kind] = count
  }

  end(kind: RequestKind): void {
    this.#current[kind]--
  }

  write(to: Exposition, name: string, help: string): void {
    this.#forget()
    const write = to.family(name, 'gauge', help)
    for (const kind of KINDS) write('', [['request_kind', kind]], this.#most[kind])
  }

  #forget(): void {
    const now = this.#now()
    if (now - this.#since < 1000) return
    this.#since = now
    this.#most.mutating = this.#current.mutating
    this.#most.readOnly = this.#current.readOnly
  }
}
