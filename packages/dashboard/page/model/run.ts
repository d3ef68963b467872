import type { ReconcileEnded } from 'homeostat'
import type { StartedRun } from '../../src/recording/entry.ts'

/** One reconcile, as far as it is known. */
export interface Run {
  readonly id: string
  readonly controller: string
  readonly request: { readonly namespace?: string | undefined; readonly name: string }
  readonly start: number
  /** The number of the entry with which it became known. */
  readonly sequence: number
  readonly started?: StartedRun | undefined
  end?: number | undefined
  ended?: (ReconcileEnded & { readonly at: number; readonly sequence: number }) | undefined
  /** Set where the operator ended before the reconcile did. */
  isCut?: boolean | undefined
}

export function newRun(
  id: string,
  about: (StartedRun | ReconcileEnded) & { readonly sequence: number },
  start: number,
): Run {
  const { controller, request, sequence } = about
  return { id, controller, request, start, sequence, started: about.type === 'started' ? about : undefined }
}

/** The reconcile as it is shown before it has ended. */
export function withoutEnd({ id, controller, request, start, sequence, started }: Run): Run {
  return { id, controller, request, start, sequence, started }
}

/** Notes the last reconcile of each request that failed, until the same controller succeeds. */
export function noteFailure(failures: Map<string, Run>, run: Run): void {
  if (run.ended && isFailure(run.ended)) failures.set(requestOf(run), run)
  // Most operators have no failure among thousands of reconciles.
  else if (failures.size > 0) failures.delete(requestOf(run))
}

function requestOf({ controller, request }: Run): string {
  return `${controller} ${keyOf(request)}`
}

/** Whether a reconcile went wrong. A lost race is ordinary. */
export function isFailure(ended: NonNullable<Run['ended']>): boolean {
  return ended.result === 'error' || ended.result === 'terminal' || ended.result === 'abandoned'
}

export function keyOf({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}
