import type { AnyKind, Clock, HomeostatError } from '@homeostat/api'
import { isForbidden, isMetadataOnly, isUnauthorized, type Selection } from '../requests/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { Transport } from '../transport/index.ts'
import { compareVersions, type Delta, type FirstList, followKind } from '../watch/index.ts'
import type { ServedObject } from '../json/index.ts'

export interface KindFeedOptions extends Selection {
  readonly kind: AnyKind
  readonly transport: Transport
  readonly clock: Clock
  readonly logger: Logger
  readonly firstList?: FirstList | undefined
  /** Gets the changes of objects. The feed handles all other messages itself. */
  readonly take: (delta: ObjectDelta, feed: KindFeed) => void
  /** Called when `synced`, `problem` or `version` changes. */
  readonly changed: () => void
}

/** A delta that says something about objects. */
export type ObjectDelta = Exclude<Delta<ServedObject>, { type: 'missing' | 'failed' }>

/**
 * One watch of a kind, in one namespace or in all. It runs from its construction until `stop`, and knows how far it
 * has come.
 */
export class KindFeed {
  /** Empty for all namespaces. */
  readonly namespace: string
  readonly #options: KindFeedOptions
  readonly #abort = new AbortController()
  readonly #running: Promise<void>
  #synced = false
  /** Why the kind cannot be read: the server does not serve it. */
  #missing: Error | undefined
  #problem: Error | undefined
  #version: string | undefined

  constructor(options: KindFeedOptions) {
    this.namespace = options.namespace ?? ''
    this.#options = options
    this.#running = this.#run()
  }

  /** Whether the first list was taken. */
  get synced(): boolean {
    return this.#synced
  }

  get problem(): Error | undefined {
    return this.#problem
  }

  /** The version up to which the watch has delivered all changes. */
  get version(): string | undefined {
    return this.#version
  }

  /** Whether its objects can be read now. */
  get isReadable(): boolean {
    return this.#synced && !this.#missing && !this.#abort.signal.aborted
  }

  /**
   * Whether its objects can be read now; throws where waiting does not help: the server does not serve the kind, or
   * does not let this user watch it.
   */
  readable(): boolean {
    if (this.#abort.signal.aborted) throw this.#abort.signal.reason
    if (this.#missing) throw this.#missing
    if (this.#synced) return true
    if (isForbidden(this.#problem) || isUnauthorized(this.#problem)) throw this.#problem
    return false
  }

  /** Ends its watch. Reads reject with the reason. */
  async stop(reason: HomeostatError): Promise<void> {
    this.#abort.abort(reason)
    await this.#running
  }

  async #run(): Promise<void> {
    const { transport, clock, kind, labels, fields, logger, firstList } = this.#options
    const { signal } = this.#abort
    const options = {
      transport,
      clock,
      kind,
      labels,
      fields,
      logger,
      firstList,
      signal,
      namespace: this.namespace,
      metadataOnly: isMetadataOnly(kind),
    }
    await followKind(options, (delta) => {
      if (!signal.aborted) this.#take(delta)
      return undefined
    })
  }

  #take(delta: Delta<ServedObject>): void {
    const { take, changed } = this.#options
    if (delta.type === 'missing') {
      this.#missing = delta.error
      this.#problem = delta.error
    } else if (delta.type === 'failed') {
      // A kind that was not served stays so until a list shows otherwise.
      if (!this.#missing) this.#problem = delta.error
    } else {
      take(delta, this)
      this.#reach('object' in delta ? delta.object.resourceVersion : delta.resourceVersion)
      this.#problem = undefined
      if (delta.type !== 'listed') return
      this.#missing = undefined
      this.#synced = true
    }
    changed()
  }

  #reach(version: string): void {
    if (this.#version === undefined || (compareVersions(version, this.#version) ?? 1) > 0)
      this.#version = version
  }
}
