import type { AnyKind, KubernetesObject } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import type { KindFinder, ObjectEvent, ServedKind, SourceContext } from 'homeostat'
import { collectable } from './served-kinds.ts'

/** Callbacks for the objects of all kinds. */
export interface AllKindsListener {
  /** A change of an object of any kind. */
  changed(kind: AnyKind, type: ObjectEvent['type'], object: Pick<KubernetesObject, 'metadata'>): void
  /** Other kinds are served than before: these are all of them now. */
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
export async function watchAllKinds(
  finder: KindFinder,
  { cache, clock, signal }: SourceContext,
  listener: AllKindsListener,
): Promise<void> {
  const watched = new Map<string, Watched>()
  const definitionInformer = cache.informer(CustomResourceDefinition)
  await definitionInformer.whenSynced({ signal })

  const needsWebhook = ({ group, plural }: AnyKind): boolean =>
    definitionInformer.get({ name: `${plural}.${group}` })?.spec.conversion?.strategy === 'Webhook'

  const watch = (id: string, kind: AnyKind): Promise<void> => {
    const informer = cache.informer(kind)
    const end = new AbortController()
    const listening = informer.listen((event) =>
      listener.changed(kind, event.type, event.object as KubernetesObject),
    )
    end.signal.addEventListener('abort', () => listening[Symbol.dispose](), { once: true })
    watched.set(id, { kind, end })
    // Does not wait for a kind that is removed before it was listed.
    return informer.whenSynced({ signal: AbortSignal.any([signal, end.signal]) }).catch(() => {})
  }

  /**
   * Starts watches of new kinds and ends those of removed ones. The inner promise resolves when the objects of new
   * kinds were delivered.
   */
  const look = async (): Promise<{ readonly told: Promise<unknown> }> => {
    const served = await finder.list({ signal })
    const kinds = new Map(
      collectable(served)
        .filter((kind) => !IGNORED.has(idOf(kind)))
        .map((kind) => [idOf(kind), kind]),
    )
    for (const [id, { kind, end }] of watched) {
      const now = kinds.get(id)
      if (now?.version === kind.version) continue
      const stillServed = served.some((one) => idOf(one.kind) === id && one.kind.version === kind.version)
      if (now && stillServed) continue
      end.abort()
      watched.delete(id)
      if (!now) listener.gone?.(kind)
    }
    listener.served?.(served)
    const fresh = [...kinds].filter(([id]) => !watched.has(id))
    const told = fresh.flatMap(([id, kind]) => {
      const whenTold = watch(id, kind)
      return needsWebhook(kind) ? [] : [whenTold]
    })
    return { told: Promise.all(told) }
  }

  // Checks one after the other: the next check sees what changed meanwhile.
  let looking = false
  let again = false
  const keepUp = async (): Promise<void> => {
    again = true
    if (looking) return
    looking = true
    while (again && !signal.aborted) {
      again = false
      try {
        await look()
      } catch {
        again = !signal.aborted
        await clock.sleep(RETRY, { signal }).catch(() => {})
      }
    }
    looking = false
  }

  const { told } = await look()
  const definitions = definitionInformer.listen(() => void keepUp())
  const stop = (): void => {
    definitions[Symbol.dispose]()
    for (const { end } of watched.values()) end.abort()
  }
  signal.addEventListener('abort', stop, { once: true })
  await told
}

function idOf(kind: AnyKind): string {
  return `${kind.group}/${kind.plural}`
}
