import type { AnyKind } from '@homeostat/api'
import type { Informer } from '../cache/index.ts'
import type { ObjectSource } from './object-source.ts'

/**
 * The changes that an informer tells, for a controller to watch: of a cache of one's own, say. The informer is not
 * ended with the controller.
 */
export function informerSource<K extends AnyKind>(informer: Informer<K>): ObjectSource<K> {
  return {
    name: `informer of ${informer.kind.kind}`,
    async watch({ signal }, emit) {
      signal.throwIfAborted()
      const listening = informer.listen((event) => emit(informer.kind, event))
      signal.addEventListener('abort', () => listening[Symbol.dispose](), { once: true })
      await informer.whenSynced({ signal })
    },
  }
}
