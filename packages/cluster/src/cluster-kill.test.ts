import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pod } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, processFact } from '../test/process-facts.ts'
import { Cluster } from './cluster.ts'

/** Whether processes can be found again here, whatever they do. */
const CAN_MARK = existsSync('/proc/self/limits') && existsSync('/usr/bin/prlimit')
const PODS = 50
const images = { sleeper: { command: 'sleep', args: ['600'] } }

let temporary: string

beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), 'homeostat-test-')))
})
afterEach(() => rm(temporary, { recursive: true }))

/** The processes of containers whose cluster has its folder below this one. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const isTheirs = processFact(pid, 'environ').includes(`HOMEOSTAT_NODE=${folder}`)
    // Not the process that waits for one in another process namespace.
    return isTheirs && processFact(pid, 'comm') === 'sleep\n' && isRunning(pid) ? [Number(pid)] : []
  })
}

/** The Pods once all of them are ready and were started once more. */
async function restartedPods(cluster: Cluster): Promise<readonly Pod[]> {
  for (;;) {
    const pods = await cluster.client.list(Pod, { namespace: 'default' })
    const statuses = pods.map(({ status }) => status.containerStatuses?.[0])
    if (statuses.every((status) => status?.ready && status.restartCount > 0)) return pods
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Runs a program in a process of its own until it writes a line, then kills it. */
function killAfterFirstLine(program: string): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module-typescript', '-e', program],
    {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString()
    if (output.includes('\n')) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', () => resolve(output)))
}

describe.runIf(CAN_MARK)('a cluster that is killed', () => {
  it(
    'leaves nothing of fifty Pods behind, and the next one on its data carries on',
    { timeout: 240_000 },
    async () => {
      const data = join(temporary, 'data')
      const output = await killAfterFirstLine(`
      import { Cluster } from './index.ts'
      import { Pod } from '@homeostat/api/kinds'
      const cluster = await Cluster.start({ dataDir: ${JSON.stringify(data)}, images: ${JSON.stringify(images)} })
      for (let n = 0; n < ${PODS}; n++) {
        const spec = { containers: [{ name: 'c', image: 'sleeper' }] }
        await cluster.client.create(Pod, { metadata: { namespace: 'default', name: 'pod-' + n }, spec })
      }
      for (;;) {
        const pods = await cluster.client.list(Pod, { namespace: 'default' })
        if (pods.filter((pod) => pod.status.phase === 'Running').length === ${PODS}) {
          console.log(JSON.stringify(Object.fromEntries(pods.map(({ metadata, status }) => [metadata.uid, status.podIP]))))
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    `)
      const before = JSON.parse(output.split('\n')[0] ?? '') as Record<string, string>
      // At once: the guard of the one before may still be at work.
      const cluster = await Cluster.start({ dataDir: data, images })
      const pods = await restartedPods(cluster)
      expect(Object.fromEntries(pods.map(({ metadata, status }) => [metadata.uid, status.podIP]))).toEqual(
        before,
      )
      const statuses = pods.map(({ status }) => status.containerStatuses?.[0])
      expect(new Set(statuses.map((status) => status?.restartCount))).toEqual(new Set([1]))
      expect(statuses[0]?.lastState?.terminated).toMatchObject({ exitCode: 255, reason: 'Unknown' })
      // A container counts as ready when its process has started, which a moment later becomes the program.
      await expect.poll(() => processesOf(data).length).toBe(PODS)
      await cluster.close()
      expect(processesOf(data)).toEqual([])
    },
  )

  it(
    'has its temporary folder and what runs in it removed by the next one',
    { timeout: 60_000 },
    async () => {
      const output = await killAfterFirstLine(`
      import { readFileSync } from 'node:fs'
      import { Cluster } from './index.ts'
      import { Pod } from '@homeostat/api/kinds'
      const cluster = await Cluster.start({ port: false, separation: false, images: ${JSON.stringify(images)} })
      const spec = { containers: [{ name: 'c', image: 'sleeper' }] }
      await cluster.client.create(Pod, { metadata: { namespace: 'default', name: 'pod' }, spec })
      const commandOf = (pid) => {
        try {
          return readFileSync('/proc/' + pid + '/cmdline', 'utf8')
        } catch {
          return ''
        }
      }
      let [guard, sleeper] = []
      while (guard === undefined || sleeper === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ')
        guard = children.find((pid) => commandOf(pid).includes('guard'))
        sleeper = children.find((pid) => commandOf(pid).split('\\0')[0].endsWith('sleep'))
      }
      process.kill(Number(guard), 'SIGKILL')
      console.log('without a guard')
    `)
      expect(output).toBe('without a guard\n')
      expect(processesOf(temporary)).toHaveLength(1)
      const left = await readdir(temporary)
      expect(left).toEqual([expect.stringMatching(/^homeostat-cluster-/)])
      const before = process.env['TMPDIR']
      process.env['TMPDIR'] = temporary
      try {
        await (await Cluster.start({ port: false })).close()
      } finally {
        if (before === undefined) delete process.env['TMPDIR']
        else process.env['TMPDIR'] = before
      }
      expect(await readdir(temporary)).toEqual([])
      expect(processesOf(temporary)).toEqual([])
    },
  )
})
