import { labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Job, Pod } from '@homeostat/api/kinds'
import { controller, controllerOf, type Client } from 'homeostat'
import { jobEnd } from './job-conditions.ts'
import { isOurs, isTracked } from './job-pods.ts'
import { releasePod } from './release-pod.ts'

/** Removes the finalizer of Pods that no Job will count: their Job has ended or is gone, or they have none. */
export const jobPodTracking = controller('job-pod-tracking')
  .for(Pod, { predicate: ({ object }) => isTracked(object) })
  .watches(Job, (job, { client }) => tracked(job, client), {
    predicate: ({ type, object }) => type === 'deleted' || jobEnd(object) !== undefined,
  })
  .options({ maxConcurrentReconciles: 5 })
  .reconcile(async (request, { client }) => {
    const pod = await client.get(Pod, request)
    if (pod && isTracked(pod) && !(await isAwaited(pod, client))) await releasePod(pod, client)
  })

/** Whether a Job will count the Pod, and remove its finalizer then. */
async function isAwaited(pod: Pod, client: Client): Promise<boolean> {
  const owner = controllerOf(pod)
  if (!owner) return false
  if (owner.kind !== Job.kind) return true
  // The controller that made the Pod read its Job from the same cache: a Job that is not in it is gone.
  const job = await client.get(Job, { namespace: pod.metadata.namespace, name: owner.name })
  if (job?.metadata.uid !== owner.uid) return false
  return jobEnd(job) === undefined || !isOurs(job)
}

async function tracked(
  job: Job,
  client: Pick<Client, 'list'>,
): Promise<{ namespace: string; name: string }[]> {
  const selector = labelSelectorFrom(job.spec.selector)
  const pods = await client.list(Pod, { namespace: job.metadata.namespace })
  return pods
    .filter((pod) => isTracked(pod) && matchesLabels(selector, pod.metadata.labels ?? {}))
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}
