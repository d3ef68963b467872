import type { Duration } from '@homeostat/api'
import type { LeaderElection } from '../election/index.ts'
import type { RunnableGroup } from './runnable-group.ts'

/** Callbacks for the progress of a group. */
interface GroupProgress {
  /** Called when this process leads, or no leader is elected. */
  onElected(): void
  /** Called when all members have started. */
  onSynced(): void
}

/**
 * Starts a group: first the members that need no leader, then, when this process leads, the others. Resolves when the group
 * should stop; rejects when a member has failed or the lead is lost.
 */
export async function workUntilStopped(
  group: RunnableGroup,
  election: LeaderElection | undefined,
  stop: AbortSignal,
  progress: GroupProgress,
): Promise<void> {
  using stopped = whenAborted(stop)
  if (stop.aborted) return
  group.startWithoutLeader()
  if (election) {
    const acquired = election.acquire(stop)
    acquired.catch(() => {})
    await Promise.race([acquired, stopped.promise, group.failed])
    if (stop.aborted) return
  }
  group.startLeading()
  progress.onElected()
  void group.synced().then(() => progress.onSynced())
  await Promise.race([stopped.promise, group.failed, ...(election ? [election.lost] : [])])
}

/** Stops the group, and rejects with the first failure. A process that has lost the lease does not wait. */
export async function stopGroup(
  group: RunnableGroup,
  election: LeaderElection | undefined,
  timeout: Duration | 'unlimited',
  failure: { readonly error: unknown } | undefined,
): Promise<void> {
  try {
    await group.stop(election?.isLost ? 0 : timeout, election?.lost)
  } catch (error) {
    if (!failure && !election?.isLost) throw error
  }
  if (election?.isLost) await election.lost
  if (failure) throw failure.error
}

function whenAborted(signal: AbortSignal): Disposable & { readonly promise: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const abort = (): void => resolve()
  signal.addEventListener('abort', abort, { once: true })
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', abort) }
}
