import { apiVersionOf, errorChain, type AnyKind, type Clock } from '@homeostat/api'
import { ApiError, isKindNotServed, resourceName } from '../requests/index.ts'
import type { KindFinder } from '../client/index.ts'
import type { Logger } from '../telemetry/index.ts'

/** How often the server is asked for a kind that it does not serve. */
const FIRST_MILLISECONDS = 1_000
/** The longest interval: a kind that is found and fails again is checked less and less often. */
const LONGEST_MILLISECONDS = 30_000

interface Wait {
  readonly kind: AnyKind
  readonly keys: Set<string>
  /** The time between two checks. */
  interval: number
  /** Whether a request for it is under way. */
  asking: boolean
}

export interface KindWaitsOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly kinds: () => KindFinder
  readonly signal: AbortSignal
  /** Called for each request that waited for the kind, once the server serves it. */
  readonly served: (key: string, kind: AnyKind) => void
}

/**
 * Requests whose reconcile failed because the server does not serve a kind, such as one whose
 * CustomResourceDefinition is being replaced. One check a second for each such kind finds out when the server serves
 * it again, so that the requests do not wait for their back-off.
 */
export class KindWaits {
  readonly #options: KindWaitsOptions
  readonly #waits = new Map<string, Wait>()

  constructor(options: KindWaitsOptions) {
    this.#options = options
  }

  /** Records a failed request. If the server did not serve a kind, the request waits for that kind. */
  failed(key: string, error: unknown): void {
    const kind = missingKind(error)
    if (!kind) {
      this.ended(key)
      return
    }
    const name = `${apiVersionOf(kind)} ${kind.kind}`
    let wait = this.#waits.get(name)
    if (!wait)
      this.#waits.set(name, (wait = { kind, keys: new Set(), interval: FIRST_MILLISECONDS, asking: false }))
    wait.keys.add(key)
    if (!wait.asking) void this.#ask(name, wait)
  }

  /** The request no longer waits for any kind. */
  ended(key: string): void {
    for (const [name, wait] of this.#waits) {
      if (wait.keys.delete(key) && wait.keys.size === 0 && !wait.asking) this.#waits.delete(name)
    }
  }

  async #ask(name: string, wait: Wait): Promise<void> {
    const { clock, signal } = this.#options
    wait.asking = true
    try {
      while (wait.keys.size > 0) {
        await clock.sleep(wait.interval, { signal })
        if (wait.keys.size > 0 && (await this.#isServed(wait.kind))) {
          wait.interval = Math.min(2 * wait.interval, LONGEST_MILLISECONDS)
          for (const key of wait.keys) this.#options.served(key, wait.kind)
          return
        }
      }
      this.#waits.delete(name)
    } catch {
      // The controller stops.
    } finally {
      wait.asking = false
    }
  }

  async #isServed({ group, version, kind }: AnyKind): Promise<boolean> {
    const { signal, logger } = this.#options
    try {
      const apiVersion = apiVersionOf({ group, version })
      return (await this.#options.kinds().find(apiVersion, kind, { signal })) !== undefined
    } catch (error) {
      signal.throwIfAborted()
      logger.debug({ error, kind }, 'the check whether the server serves a kind failed')
      return false
    }
  }
}

/** How a cause names the kind. */
export function servedCause(kind: AnyKind): { type: 'external'; source: string; note: string } {
  return { type: 'external', source: resourceName(kind), note: 'the server serves this kind now' }
}

function missingKind(error: unknown): AnyKind | undefined {
  const missing = errorChain(error).find((each) => isKindNotServed(each))
  // A discovery request has no kind.
  return missing instanceof ApiError && missing.kind.version !== '' ? missing.kind : undefined
}
