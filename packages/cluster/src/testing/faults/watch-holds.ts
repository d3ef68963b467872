import type { AnyKind, ApiResponse } from '@homeostat/api'
import { isOfKind, type RequestTarget } from './request-target.ts'

/** Holds back the events of a kind's watches until it is released. */
export interface WatchHold extends Disposable {
  /** Delivers all events that were held back, in order. Releasing it twice does nothing. */
  release(): void
}

interface Hold extends WatchHold {
  readonly kind: AnyKind
  readonly released: Promise<void>
}

/** The holds of a test, and the watches that they hold: those that are open already, and later ones. */
export class WatchHolds {
  readonly #holds = new Set<Hold>()

  hold(kind: AnyKind): WatchHold {
    const { promise: released, resolve } = Promise.withResolvers<void>()
    const release = (): void => {
      this.#holds.delete(hold)
      resolve()
    }
    const hold: Hold = { kind, released, release, [Symbol.dispose]: release }
    this.#holds.add(hold)
    return hold
  }

  /** The answer to a watch, whose events wait while the kind is held. */
  wrap(response: ApiResponse, target: RequestTarget, signal: AbortSignal | undefined): ApiResponse {
    const { body } = response
    if (body instanceof Uint8Array) return response
    return { ...response, body: this.#held(body, target, signal) }
  }

  async *#held(
    body: AsyncIterable<Uint8Array>,
    target: RequestTarget,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of body) {
      if (this.#of(target)) await this.#released(target, signal)
      if (signal?.aborted) return
      yield chunk
    }
  }

  /** Resolves when nothing holds the kind, or the signal aborts. */
  async #released(target: RequestTarget, signal: AbortSignal | undefined): Promise<void> {
    const aborted = Promise.withResolvers<void>()
    const abort = (): void => aborted.resolve()
    signal?.addEventListener('abort', abort, { once: true })
    try {
      for (let hold = this.#of(target); hold; hold = this.#of(target)) {
        if (signal?.aborted) return
        await Promise.race([hold.released, aborted.promise])
      }
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  #of(target: RequestTarget): Hold | undefined {
    for (const hold of this.#holds) if (isOfKind(target, hold.kind)) return hold
    return undefined
  }
}
