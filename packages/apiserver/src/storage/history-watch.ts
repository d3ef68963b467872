import type { Collection } from './collection.ts'
import type { StoreEvent, StoreWatch } from './store.ts'

/** A place in a collection's history. It holds no events, so a slow reader costs no memory. */
export class HistoryWatch implements StoreWatch {
  readonly #store: { readonly visible: number }
  readonly #collection: Collection
  readonly #prefix: string
  readonly #listener: (event: StoreEvent) => void
  #revision: number
  #idle = false
  #closed = false

  constructor(
    store: { readonly visible: number },
    collection: Collection,
    prefix: string,
    after: number,
    notify: () => void,
  ) {
    this.#store = store
    this.#collection = collection
    this.#prefix = prefix
    this.#revision = after
    this.#listener = (event): void => {
      // An idle watch has seen everything before the event that wakes it.
      if (this.#idle) this.#revision = Math.max(this.#revision, event.revision - 1)
      this.#idle = false
      notify()
    }
    collection.listen(this.#listener)
  }

  /** An idle watch is at the current revision, unless it waits for a later one. */
  get revision(): number {
    return this.#idle ? Math.max(this.#revision, this.#store.visible) : this.#revision
  }

  take(): StoreEvent | undefined {
    while (!this.#closed && !this.#idle) {
      const event = this.#collection.next(this.#revision)
      if (!event || event.revision > this.#store.visible) {
        this.#idle = true
        return undefined
      }
      this.#revision = event.revision
      if (event.entry.key.startsWith(this.#prefix)) return event
    }
    return undefined
  }

  close(): void {
    this.#closed = true
    this.#collection.unlisten(this.#listener)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
