import type { AnyKind } from '@homeostat/api'
import type { Informer } from '../cache/index.ts'
import type { ObjectSource } from './object-source.ts'

/**
 * The changes that an informer reports, for a controller to watch: for an informer of another cache, for example. The
 * informer does not end with the controller.
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
