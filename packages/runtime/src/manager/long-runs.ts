import type { Clock, Timer } from '@homeostat/api'
import type { Logger } from '../telemetry/index.ts'
import type { GroupMember } from './group-member.ts'

const INTERVAL = 60_000
/** A reconcile that takes longer than this most likely waits for something that never happens. */
const LONG = 300_000

/** Reports each reconcile that does not end, once: without a timeout it would occupy its worker unnoticed. */
export class LongRuns implements Disposable {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #members: () => IteratorObject<GroupMember>
  #reported = new Set<string>()
  #timer: Timer | undefined

  constructor(clock: Clock, logger: Logger, members: () => IteratorObject<GroupMember>) {
    this.#clock = clock
    this.#log = logger
    this.#members = members
  }

  /** Checks every minute until it is disposed of. While nothing runs, the next check is when a run that starts now could be too long. */
  start(): void {
    this.#timer = this.#clock.schedule(this.#isIdle() ? LONG : INTERVAL, () => {
      this.#look()
      this.start()
    })
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel()
  }

  #isIdle(): boolean {
    const now = this.#clock.monotonic()
    return Array.from(this.#members()).every((member) => member.runningSince(now).length === 0)
  }

  #look(): void {
    const running = new Set<string>()
    for (const member of this.#members()) {
      for (const object of member.runningSince(this.#clock.monotonic() - LONG)) {
        const id = `${member.name} ${object}`
        running.add(id)
        if (this.#reported.has(id)) continue
        this.#log.warn(
          { controller: member.name, object, minutes: LONG / 60_000 },
          "a reconcile has been running for minutes: it blocks its object and occupies a worker. Pass the context's signal to what it waits for, and set reconcileTimeout to have it aborted",
        )
      }
    }
    this.#reported = running
  }
}
