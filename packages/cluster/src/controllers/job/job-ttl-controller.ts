import { Job } from '@homeostat/api/kinds'
import { controller } from 'homeostat'
import { jobEndedAt } from './job-conditions.ts'

/** Deletes finished Jobs with their Pods after `ttlSecondsAfterFinished`. */
export const jobTtlController = controller('ttl-after-finished-controller')
  .for(Job, {
    predicate: ({ object }) => object.spec.ttlSecondsAfterFinished !== undefined,
  })
  .options({ maxConcurrentReconciles: 5 })
  .reconcile(async (request, { client, clock }) => {
    const cached = await client.get(Job, request)
    const wait = cached && expiresIn(cached, clock.now())
    if (wait === undefined) return undefined
    if (wait > 0) return { requeueAfter: wait }
    // A client may have changed the TTL a moment ago.
    const job = await client.live.get(Job, request)
    const left = job && expiresIn(job, clock.now())
    if (!job || left === undefined) return undefined
    if (left > 0) return { requeueAfter: left }
    const { uid } = job.metadata
    await client.delete(Job, request, { propagation: 'Foreground', preconditions: { uid } })
    return undefined
  })

/** After how many milliseconds a Job is deleted; `undefined` when it is kept, or is being deleted already. */
function expiresIn(job: Job, now: number): number | undefined {
  const { ttlSecondsAfterFinished: seconds } = job.spec
  const end = jobEndedAt(job)
  if (seconds === undefined || end === undefined || job.metadata.deletionTimestamp) return undefined
  return end + seconds * 1_000 - now
}
