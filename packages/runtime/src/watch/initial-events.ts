import { formatKey } from '@homeostat/api'
import type { ServedObject } from '../json/index.ts'
import type { WatchEvent } from './watch-stream.ts'

/** The objects of a watch's first events. */
export class InitialEvents {
  /** In the order of arrival; a map by name once an object arrives a second time. */
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

  /** The collected objects. */
  objects(): readonly ServedObject[] {
    const objects = Array.isArray(this.#objects) ? this.#objects : [...this.#objects.values()]
    this.#objects = []
    return objects
  }
}
