import type { AnyKind, HomeostatError } from '@homeostat/api'
import type { KindFeed } from './kind-feed.ts'
import { stoppedError } from './stopped-error.ts'

/**
 * The watches of one kind: one for all namespaces, or one for each. Knows which namespaces can be read, and resolves
 * the promises that wait for them.
 */
export class KindWatches {
  readonly #kind: AnyKind
  readonly #open: (namespace: string) => KindFeed
  /** By namespace. A watch of all namespaces has the empty name, and is then the only one. */
  readonly #feeds = new Map<string, KindFeed>()
  readonly #ending = new Set<Promise<void>>()
  readonly #waiting = new Set<() => void>()
  #stopped: HomeostatError | undefined

  /** `open` starts a watch of one namespace, or of all for the empty name. */
  constructor(kind: AnyKind, open: (namespace: string) => KindFeed) {
    this.#kind = kind
    this.#open = open
  }

  /** Whether the first lists of all namespaces that are watched are complete. */
  get synced(): boolean {
    for (const feed of this.#feeds.values()) if (!feed.synced) return false
    return true
  }

  /** Why one of the watches is not up to date. */
  get problem(): Error | undefined {
    return [...this.#feeds.values()].find((feed) => feed.problem)?.problem
  }

  get stopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Whether this namespace is watched; without one, whether all are. */
  watches(namespace?: string): boolean {
    return this.#covering(namespace) !== undefined
  }

  /** Whether the watch has not been replaced or ended. */
  isCurrent(feed: KindFeed): boolean {
    return this.#feeds.get(feed.namespace) === feed
  }

  /** The version up to which all changes in the namespace were delivered. `undefined` where it is not watched. */
  shownIn(namespace: string): { readonly version: string | undefined } | undefined {
    return this.#covering(namespace)
  }

  /** Watches these namespaces from now on, or all of them. Returns those whose watches were ended. */
  setNamespaces(namespaces: readonly string[] | undefined): {
    readonly wanted: ReadonlySet<string>
    readonly ended: readonly string[]
  } {
    if (this.#stopped) throw this.#stopped
    const all = !namespaces || namespaces.includes('') || this.#kind.scope === 'Cluster'
    const wanted = new Set(all ? [''] : namespaces)
    const ended = [...this.#feeds.keys()].filter((namespace) => !wanted.has(namespace))
    for (const namespace of ended) {
      this.#end(this.#feeds.get(namespace), stoppedError(this.#kind))
      this.#feeds.delete(namespace)
    }
    for (const namespace of wanted) {
      if (!this.#feeds.has(namespace)) this.#feeds.set(namespace, this.#open(namespace))
    }
    this.wake()
    return { wanted, ended }
  }

  /** Whether a read of a namespace, or of all that are watched, can be answered at once. */
  isReadable(namespace?: string): boolean {
    if (this.#stopped) return false
    const one = this.#covering(namespace)
    if (one) return one.isReadable
    for (const feed of this.#feeds.values()) if (!feed.isReadable) return false
    return true
  }

  /**
   * Resolves when {@link isReadable} is true. Rejects where waiting does not help: the server does not serve the
   * kind, or does not let this user watch it.
   */
  whenReadable(namespace?: string, signal?: AbortSignal): Promise<void> {
    return this.until(() => {
      const one = this.#covering(namespace)
      const feeds = one ? [one] : [...this.#feeds.values()]
      return feeds.filter((feed) => !feed.readable()).length === 0
    }, signal)
  }

  /** Resolves when the condition holds; rejects with what it throws, when aborted, and when stopped. */
  async until(condition: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      if (this.#stopped) throw this.#stopped
      if (condition()) return
      await this.#nextChange(signal)
    }
  }

  /** Checks the conditions of all pending `until` calls again. */
  wake(): void {
    for (const done of this.#waiting) done()
  }

  /** Ends all watches. Resolves when all have ended; pending `until` calls reject at once. */
  async stop(): Promise<void> {
    this.#stopped ??= stoppedError(this.#kind)
    for (const feed of this.#feeds.values()) this.#end(feed, this.#stopped)
    this.wake()
    await Promise.all(this.#ending)
    this.#feeds.clear()
  }

  /** The watch that covers a namespace, or all namespaces. */
  #covering(namespace: string | undefined): KindFeed | undefined {
    return this.#feeds.get('') ?? (namespace ? this.#feeds.get(namespace) : undefined)
  }

  #end(feed: KindFeed | undefined, reason: HomeostatError): void {
    if (!feed) return
    const ending = feed.stop(reason).finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  #nextChange(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }
}
