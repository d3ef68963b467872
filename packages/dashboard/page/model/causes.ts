import type { Cause } from 'homeostat'
import type { Run, Store } from './store.ts'

/** A reconcile whose write caused another. */
export interface Origin {
  readonly run: Run
  readonly cause: Cause
}

/** The reconcile that wrote what a run was called for, if one of this operator did. */
function originOf(store: Store, run: Run): Origin | undefined {
  for (const cause of run.started?.causes ?? []) {
    if (!('object' in cause)) continue
    const { kind, object } = cause
    const writer = [...store.runs.values()].findLast(
      (other) =>
        other !== run &&
        other.start <= run.start &&
        other.ended?.writes.some(
          (write) =>
            write.error === undefined &&
            write.kind === kind &&
            write.name === object.name &&
            write.namespace === object.namespace,
        ),
    )
    // Another client may have written since; a write long ago is no cause.
    if (writer && run.start - (writer.end ?? writer.start) < 5000) return { run: writer, cause }
  }
  return undefined
}

/** The chain of reconciles that led to a run, from the nearest. */
export function chainOf(store: Store, run: Run, most = 6): readonly Origin[] {
  const chain: Origin[] = []
  const seen = new Set([run.id])
  for (
    let origin = originOf(store, run);
    origin && chain.length < most;
    origin = originOf(store, origin.run)
  ) {
    if (seen.has(origin.run.id)) break
    seen.add(origin.run.id)
    chain.push(origin)
  }
  return chain
}
