import type { AnyKind } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import type { Source } from './source.ts'

/** The changes of all objects of a kind, from the informer that the whole process shares. */
export function kindSource<K extends AnyKind>(kind: K): Source<ObjectEvent<K>> {
  return {
    name: `kind ${kind.kind}`,
    async start({ cache, signal }, emit) {
      signal.throwIfAborted()
      const informer = cache.informer(kind)
      const listening = informer.listen(emit)
      signal.addEventListener('abort', () => listening[Symbol.dispose](), { once: true })
      await informer.whenSynced({ signal })
    },
  }
}
