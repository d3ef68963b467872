import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pod } from '@homeostat/api/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import type { ClusterLogOptions } from './cluster-options.ts'

const namespace = 'default'
let dataDir: string
let cluster: Cluster

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'homeostat-logs-'))
  cluster = await Cluster.start({ port: false, dataDir })
})
afterEach(async () => {
  await cluster.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function logOf(pod: string, options: Partial<ClusterLogOptions> = {}): Promise<string> {
  let text = ''
  for await (const chunk of cluster.logs({ namespace, pod, ...options }))
    text += Buffer.from(chunk).toString()
  return text
}

async function create(
  name: string,
  script: string,
  restartPolicy: Pod['spec']['restartPolicy'] = 'Always',
): Promise<void> {
  await cluster.client.create(Pod, {
    metadata: { namespace, name },
    spec: { restartPolicy, containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', script] }] },
  })
}

it('keeps the logs of containers over a restart of the cluster', { timeout: 120_000 }, async () => {
  await create('done', 'echo all is done', 'Never')
  await create('goes-on', 'echo here I am; sleep 3600')
  const phaseOf = async (name: string) => (await cluster.client.get(Pod, { namespace, name }))?.status.phase
  await expect.poll(() => phaseOf('done'), { timeout: 60_000 }).toBe('Succeeded')
  await expect.poll(() => logOf('goes-on'), { timeout: 60_000 }).toBe('here I am\n')

  await cluster.close()
  cluster = await Cluster.start({ port: false, dataDir })
  await expect.poll(() => logOf('done'), { timeout: 60_000 }).toBe('all is done\n')
  expect(await logOf('done', { tailLines: 1, follow: true })).toBe('all is done\n')
  // The container runs again, and its earlier output is the log of its previous run.
  await expect.poll(() => logOf('goes-on', { previous: true }), { timeout: 60_000 }).toBe('here I am\n')
  await expect.poll(() => logOf('goes-on'), { timeout: 60_000 }).toBe('here I am\n')
})
