import type { AnyKind } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import type { SourceContext } from './source.ts'

/**
 * A source of object changes other than a kind of the controller's own cluster: objects of another cluster, or of
 * kinds that are added and removed while it runs. Like every source it can be started many times.
 */
export interface ObjectSource<K extends AnyKind = AnyKind> {
  /** For logs: `kind Secret of the cluster edge`. */
  readonly name: string
  /**
   * Calls `emit` with each change, in order for each object. Resolves when it has emitted everything that existed at
   * the start; rejects with the signal's reason if it aborts first.
   */
  watch(context: SourceContext, emit: (kind: K, event: ObjectEvent<K>) => void): Promise<void>
}
