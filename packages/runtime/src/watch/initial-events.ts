import { formatKey } from '@homeostat/api'
import type { ServedObject } from '../json/index.ts'
import type { WatchEvent } from './watch-stream.ts'

/** The objects of a watch's first events. */
export class InitialEvents {
  /** As they came; by name once one has come that is not new. */
  #objects: ServedObject[] | Map<string, ServedObject> = []

  take(event: WatchEvent): void {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return
    if (Array.isArray(this.#objects)) {
      if (event.type === 'ADDED') {
        this.#objects.push(event.object)
        return
      }
      this.#objects = new Map(this.#objects.map((object) => [formatKey(object), object]))
    }
    const key = formatKey(event.object)
    if (event.type === 'DELETED') this.#objects.delete(key)
    else this.#objects.set(key, event.object)
  }

  /** Hands over what it has. */
  objects(): readonly ServedObject[] {
    const objects = Array.isArray(this.#objects) ? this.#objects : [...this.#objects.values()]
    this.#objects = []
    return objects
  }
}
