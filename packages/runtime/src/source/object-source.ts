import type { AnyKind } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import type { SourceContext } from './source.ts'

/**
 * A source of changes of objects that are not simply those of a kind of the controller's own cluster: of
 * another cluster, or of kinds that change while it runs. Like every source it can be started many times.
 */
export interface ObjectSource<K extends AnyKind = AnyKind> {
  /** For logs: `kind Secret of the cluster edge`. */
  readonly name: string
  /**
   * Gives each change to `emit`, for one object in order. Resolves when everything that was there at the
   * start has been given; rejects with the signal's reason when that aborts first.
   */
  watch(context: SourceContext, emit: (kind: K, event: ObjectEvent<K>) => void): Promise<void>
}
