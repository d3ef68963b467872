import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isRunning, processFact } from '../../packages/cluster/test/process-facts.ts'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { runCluster, type RunningCluster } from './run-cluster.ts'

const PODS = 50

/** Processes that sleep for exactly so many seconds. */
function sleepers(seconds: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    const [program = '', ...args] = processFact(pid, 'cmdline').split('\0')
    return /(?:^|\/)sleep$/.test(program) && args[0] === seconds && isRunning(pid)
  })
}

/** The Pods' names with their uids, sorted. */
async function podsOf(cluster: RunningCluster): Promise<string[]> {
  const template = '{range .items[*]}{.metadata.name} {.metadata.uid}{"\\n"}{end}'
  return (await cluster.kubectl('get', 'pods', '-o', `jsonpath=${template}`)).trim().split('\n').sort()
}

describe.skipIf(!hasKubectl || process.platform !== 'linux')('a cluster that is killed with kill -9', () => {
  it(
    `and started again on its data has the same ${PODS} Pods, none of their processes twice, and no orphan`,
    { timeout: 180_000 },
    async () => {
      // No other process sleeps for exactly so long.
      const seconds = String(1_000_000_000 + process.pid)
      const args = ['--data-dir=data', `--image=example/sleeper=sleep ${seconds}`]
      await using first = runCluster(args)
      await first.printed(/Ctrl-C/)
      await first.kubectl('create', 'deployment', 'web', '--image=example/sleeper', `--replicas=${PODS}`)
      await first.kubectl('rollout', 'status', 'deployment/web', '--timeout=60s')
      const before = await podsOf(first)
      expect(before).toHaveLength(PODS)
      expect(sleepers(seconds)).toHaveLength(PODS)

      await first.end('SIGKILL')
      await expect.poll(() => sleepers(seconds), { timeout: 60_000 }).toEqual([])

      await using second = runCluster(args, first.folder)
      await second.printed(/Ctrl-C/)
      await expect
        .poll(() => second.kubectl('get', 'deployment', 'web', '-o', 'jsonpath={.status.readyReplicas}'), {
          timeout: 60_000,
        })
        .toBe(String(PODS))
      await expect.poll(() => sleepers(seconds).length, { timeout: 60_000 }).toBe(PODS)
      expect(await podsOf(second)).toEqual(before)
      expect(await second.end('SIGINT')).toBe(0)
      expect(sleepers(seconds)).toEqual([])
    },
  )
})
