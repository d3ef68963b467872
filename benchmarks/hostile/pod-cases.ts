import { setTimeout as pause } from 'node:timers/promises'
import { Pod } from '@homeostat/api/kinds'
import { hostilePods } from '../../test/hostile/pods.ts'
import type { ClusterProcess } from '../cluster/cluster-process.ts'
import type { HostileCase, Outcome } from './hostile-case.ts'

const KEY = { namespace: 'default', name: 'hostile' }
/** How long a Pod may take to be gone. */
const TIMEOUT = 30_000

/** Each hostile Pod runs for a while, and is then deleted without grace. */
export const podCases: readonly HostileCase[] = hostilePods.map(({ title, script }) => ({
  group: 'pods',
  title,
  run: (cluster, seconds, signal) => runPod(cluster, script, seconds, signal),
}))

async function runPod(
  { client }: ClusterProcess,
  script: string,
  seconds: number,
  signal: AbortSignal,
): Promise<Outcome> {
  await client.create(Pod, {
    metadata: KEY,
    spec: { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', script] }] },
  })
  await pause(seconds * 1_000, undefined, { signal })
  const pod = await client.get(Pod, KEY)
  const state = pod?.status?.containerStatuses?.[0]
  const note = state?.state?.running
    ? 'runs until it is deleted'
    : `ended with ${state?.state?.terminated?.exitCode ?? state?.lastState?.terminated?.exitCode ?? '?'}`
  await client.delete(Pod, KEY, { gracePeriodSeconds: 0 })
  for (const end = performance.now() + TIMEOUT; await client.get(Pod, KEY);) {
    if (performance.now() > end) throw new Error('the Pod is still there')
    await pause(100, undefined, { signal })
  }
  return { note }
}
