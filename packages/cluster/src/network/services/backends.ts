import type { Clock } from '@homeostat/api'
import type { Target } from './service-plan.ts'

/** How many clients are remembered at most; the one that connected longest ago is forgotten first. */
const MOST_CLIENTS = 10_000

/** The endpoints of one port of a Service, which take connections in turn. */
export class Backends {
  readonly #clock: Clock
  readonly #clients = new Map<string, { readonly target: string; readonly until: number }>()
  #targets: readonly Target[] = []
  #affinitySeconds: number | undefined
  #turn = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Sends new connections to these targets. Open connections stay where they are. */
  use(targets: readonly Target[], affinitySeconds: number | undefined): void {
    this.#targets = targets
    this.#affinitySeconds = affinitySeconds
    if (affinitySeconds === undefined) this.#clients.clear()
  }

  /** Where a connection of the client should go, the first choice first. Each call takes a turn. */
  order(client: string): Target[] {
    const count = this.#targets.length
    if (count === 0) return []
    const first = this.#kept(client) ?? this.#turn++ % count
    return [...this.#targets.slice(first), ...this.#targets.slice(0, first)]
  }

  /** Called when the client was connected to the target. */
  connected(client: string, target: Target): void {
    if (this.#affinitySeconds === undefined) return
    const until = this.#clock.monotonic() + this.#affinitySeconds * 1_000
    this.#clients.delete(client)
    this.#clients.set(client, { target: textOf(target), until })
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size <= MOST_CLIENTS) break
      this.#clients.delete(oldest)
    }
  }

  #kept(client: string): number | undefined {
    const known = this.#clients.get(client)
    if (!known || known.until <= this.#clock.monotonic()) return undefined
    const index = this.#targets.findIndex((target) => textOf(target) === known.target)
    return index < 0 ? undefined : index
  }
}

function textOf({ address, port }: Target): string {
  return `${address}:${port}`
}
