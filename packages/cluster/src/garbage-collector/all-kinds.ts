import type { AnyKind, KubernetesObject } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import type { Informer, KindFinder, ObjectEvent, ServedKind, SourceContext } from 'homeostat'
import { collectable } from './served-kinds.ts'

/** Callbacks for the objects of all kinds. */
export interface AllKindsListener {
  /** A change of an object of any kind. */
  changed(kind: AnyKind, type: ObjectEvent['type'], object: Pick<KubernetesObject, 'metadata'>): void
  /** The server serves other kinds than before. These are all kinds that it serves now. */
  served?(kinds: readonly ServedKind[]): void
  /** The kind is no longer served, and all its objects are gone. */
  gone?(kind: AnyKind): void
}

/** Calls a listener for the objects of all kinds. Resolves when it has been called for all existing objects. */
export type FollowAllKinds = (
  finder: KindFinder,
  context: SourceContext,
  listener: AllKindsListener,
) => Promise<void>

interface Watched {
  readonly kind: AnyKind
  readonly end: AbortController
}

/** Kinds whose objects own nothing and have no owner, and come in great numbers. */
const IGNORED = new Set(['/events', 'events.k8s.io/events'])
const RETRY = 1_000

/**
 * Reports every change of every object that can be listed, watched and deleted, also of kinds that are added later.
 * Resolves when it has reported all existing objects, except for kinds whose versions a webhook converts: they cannot
 * be listed while their webhook is unreachable. Events are left out.
 */
export function watchAllKinds(
  finder: KindFinder,
  context: SourceContext,
  listener: AllKindsListener,
): Promise<void> {
  return new AllKindsWatch(finder, context, listener).start()
}

/** Keeps one informer open for each kind, and follows the definitions to learn of new and removed kinds. */
class AllKindsWatch {
  readonly #finder: KindFinder
  readonly #context: SourceContext
  readonly #listener: AllKindsListener
  readonly #watched = new Map<string, Watched>()
  readonly #definitions: Informer<typeof CustomResourceDefinition>
  #isLooking = false
  #looksAgain = false

  constructor(finder: KindFinder, context: SourceContext, listener: AllKindsListener) {
    this.#finder = finder
    this.#context = context
    this.#listener = listener
    this.#definitions = context.cache.informer(CustomResourceDefinition)
  }

  async start(): Promise<void> {
    const { signal } = this.#context
    await this.#definitions.whenSynced({ signal })
    const { told } = await this.#look()
    const listening = this.#definitions.listen(() => void this.#keepUp())
    const stop = (): void => {
      listening[Symbol.dispose]()
      for (const { end } of this.#watched.values()) end.abort()
    }
    signal.addEventListener('abort', stop, { once: true })
    await told
  }

  /** Looks at the served kinds until none has changed meanwhile. Only one call of it runs at a time. */
  async #keepUp(): Promise<void> {
    const { clock, signal } = this.#context
    this.#looksAgain = true
    if (this.#isLooking) return
    this.#isLooking = true
    while (this.#looksAgain && !signal.aborted) {
      this.#looksAgain = false
      try {
        await this.#look()
      } catch {
        this.#looksAgain = !signal.aborted
        await clock.sleep(RETRY, { signal }).catch(() => {})
      }
    }
    this.#isLooking = false
  }

  /**
   * Starts watches of new kinds and ends those of removed ones. The inner promise resolves when the objects of new
   * kinds were delivered.
   */
  async #look(): Promise<{ readonly told: Promise<unknown> }> {
    const served = await this.#finder.list({ signal: this.#context.signal })
    const kinds = new Map(
      collectable(served)
        .filter((kind) => !IGNORED.has(idOf(kind)))
        .map((kind) => [idOf(kind), kind]),
    )
    for (const [id, { kind, end }] of this.#watched) {
      const now = kinds.get(id)
      if (now?.version === kind.version) continue
      const stillServed = served.some((one) => idOf(one.kind) === id && one.kind.version === kind.version)
      if (now && stillServed) continue
      end.abort()
      this.#watched.delete(id)
      if (!now) this.#listener.gone?.(kind)
    }
    this.#listener.served?.(served)
    const fresh = [...kinds].filter(([id]) => !this.#watched.has(id))
    const told = fresh.flatMap(([id, kind]) => {
      const whenTold = this.#watch(id, kind)
      return this.#needsWebhook(kind) ? [] : [whenTold]
    })
    return { told: Promise.all(told) }
  }

  #watch(id: string, kind: AnyKind): Promise<void> {
    const { cache, signal } = this.#context
    const informer = cache.informer(kind)
    const end = new AbortController()
    const listening = informer.listen((event) =>
      this.#listener.changed(kind, event.type, event.object as KubernetesObject),
    )
    end.signal.addEventListener('abort', () => listening[Symbol.dispose](), { once: true })
    this.#watched.set(id, { kind, end })
    // Does not wait for a kind that is removed before it was listed.
    return informer.whenSynced({ signal: AbortSignal.any([signal, end.signal]) }).catch(() => {})
  }

  #needsWebhook({ group, plural }: AnyKind): boolean {
    return this.#definitions.get({ name: `${plural}.${group}` })?.spec.conversion?.strategy === 'Webhook'
  }
}

function idOf(kind: AnyKind): string {
  return `${kind.group}/${kind.plural}`
}
