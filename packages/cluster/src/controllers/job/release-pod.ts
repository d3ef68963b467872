import { Pod } from '@homeostat/api/kinds'
import { isNotFound, type Client } from 'homeostat'
import { isTracked, TRACKING_FINALIZER } from './job-pods.ts'

/** Removes the Job's finalizer from a Pod, if it is there. */
export async function releasePod(pod: Pod, client: Client): Promise<void> {
  if (!isTracked(pod)) return
  const body = { metadata: { '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] } }
  try {
    await client.patch(Pod, pod.metadata, { type: 'strategic', body })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
