import { HomeostatError, type AnyKind } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import { isMetadataOnly } from '../requests/index.ts'
import { kindSource } from './kind-source.ts'
import type { ObjectSource } from './object-source.ts'
import type { SourceContext } from './source.ts'

type Emit = (kind: AnyKind, event: ObjectEvent) => void

/** One controller that watches, and how to end each kind for it. */
interface Watcher {
  readonly context: SourceContext
  readonly emit: Emit
  readonly ends: Map<string, AbortController>
}

/**
 * Kinds that a controller watches, which can be added and removed while it runs: for kinds that are known only from
 * other objects. A kind that is added yields its existing objects, and one that is removed yields nothing more; its
 * informer ends a while after its last use.
 */
export class WatchedKinds implements ObjectSource {
  readonly name: string
  readonly #kinds = new Map<string, AnyKind>()
  readonly #watchers = new Set<Watcher>()

  constructor(name: string, kinds: readonly AnyKind[] = []) {
    this.name = `kinds ${name}`
    for (const kind of kinds) this.add(kind)
  }

  /** The kinds that are watched, in the order in which they were added. */
  get kinds(): readonly AnyKind[] {
    return [...this.#kinds.values()]
  }

  /**
   * Watches the kind from now on, and waits for a kind that is not served yet. Returns false if the kind is already
   * watched.
   */
  add(kind: AnyKind): boolean {
    const id = idOf(kind)
    if (this.#kinds.has(id)) return false
    this.#kinds.set(id, kind)
    // A watch that is already running does not wait for it: existing objects arrive as at a start.
    for (const watcher of this.#watchers) this.#start(watcher, id, kind).catch(() => {})
    return true
  }

  /** Stops watching the kind. Returns false if it was not watched. */
  remove(kind: AnyKind): boolean {
    const id = idOf(kind)
    for (const { ends } of this.#watchers) {
      ends.get(id)?.abort(new HomeostatError('WATCH_REMOVED', `${kind.kind} is no longer watched`))
      ends.delete(id)
    }
    return this.#kinds.delete(id)
  }

  async watch(context: SourceContext, emit: Emit): Promise<void> {
    context.signal.throwIfAborted()
    const watcher: Watcher = { context, emit, ends: new Map() }
    this.#watchers.add(watcher)
    const end = (): void => {
      this.#watchers.delete(watcher)
      for (const each of watcher.ends.values()) each.abort(context.signal.reason)
    }
    context.signal.addEventListener('abort', end, { once: true })
    await Promise.all([...this.#kinds].map(([id, kind]) => this.#start(watcher, id, kind)))
  }

  /** Rejects only when the watcher itself ends. If the kind is removed before it was listed, resolves. */
  async #start({ context, emit, ends }: Watcher, id: string, kind: AnyKind): Promise<void> {
    const end = new AbortController()
    ends.set(id, end)
    try {
      await kindSource(kind).start({ ...context, signal: end.signal }, (event) => emit(kind, event))
    } catch (error) {
      context.signal.throwIfAborted()
      if (!end.signal.aborted) throw error
    }
  }
}

function idOf(kind: AnyKind): string {
  return `${kind.group}/${kind.version}/${kind.plural}/${isMetadataOnly(kind)}`
}
