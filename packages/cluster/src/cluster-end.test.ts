import { execFileSync, spawn } from 'node:child_process'
import { createReadStream, readdirSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning, processFact } from '../test/process-facts.ts'

/** Makes a pipe with a name: it ends for its reader when the last process that has it open is gone. */
const MAKE_PIPE = '/usr/bin/mkfifo'

let temporary: string

beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'homeostat-test-'))
})
afterEach(() => rm(temporary, { recursive: true }))

describe('the end of a cluster', () => {
  it('comes at once when it cannot start, and nothing of it is left', { timeout: 120_000 }, async () => {
    const { output, code } = await inProcess(`
      const cluster = await Cluster.start()
      const port = Number(new URL(cluster.url).port)
      await Cluster.start({ port }).catch((error) => console.log(error.code, error.message.includes(String(port))))
      await cluster.close()
    `)
    expect(output).toBe('PORT_IN_USE true\n')
    expect(code).toBe(0)
    expect(await readdir(temporary)).toEqual([])
  })

  it(
    'lets the process end by itself once it is closed, with nothing left',
    { timeout: 120_000 },
    async () => {
      const { output, code } = await inProcess(`
      const cluster = await Cluster.start({ images })
      await runSleeper(cluster)
      await (await cluster.forward({ service: await makeService(cluster) })).url
      await cluster.close()
      console.log('closed')
    `)
      expect(output).toContain('closed')
      expect(code).toBe(0)
      expect(processesIn(temporary)).toEqual([])
      expect(await readdir(temporary)).toEqual([])
    },
  )

  it('ends its containers when its process is killed', { timeout: 120_000 }, async () => {
    const pipe = join(temporary, 'pipe')
    execFileSync(MAKE_PIPE, [pipe])
    const lastOneGone = new Promise<string>((resolve) => {
      createReadStream(pipe)
        .on('close', () => resolve('gone'))
        .resume()
    })
    const { output, code } = await inProcess(
      `
      const cluster = await Cluster.start({ images })
      await runSleeper(cluster)
      process.kill(process.pid, 'SIGKILL')
    `,
      { PIPE: pipe },
    )
    expect(code).toBe(null)
    expect(pidIn(output)).toBeGreaterThan(0)
    expect(await lastOneGone).toBe('gone')
  })
})

const HELPERS = `
  import { Cluster } from './index.ts'
  import { Pod, Service } from '@homeostat/api/kinds'
  const images = { shell: { command: 'sh', hostCommands: true } }
  async function runSleeper(cluster) {
    const script = (process.env.PIPE ? 'exec 3>"' + process.env.PIPE + '"; ' : '') + 'echo pid=$$$$; sleep 600'
    const containers = [{ name: 'sh', image: 'shell', args: ['-c', script] }]
    await cluster.client.create(Pod, { metadata: { namespace: 'default', name: 'sleeper' }, spec: { containers } })
    for (;;) {
      for await (const chunk of cluster.logs({ namespace: 'default', pod: 'sleeper', follow: true })) {
        console.log(new TextDecoder().decode(chunk))
        return
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  async function makeService(cluster) {
    const metadata = { namespace: 'default', name: 'web' }
    await cluster.client.create(Service, { metadata, spec: { selector: { a: 'b' }, ports: [{ port: 80 }] } })
    return metadata
  }
`

/** Runs a program with a folder of its own for temporary files, to its end. */
function inProcess(
  program: string,
  env: Record<string, string> = {},
): Promise<{ output: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      ['--conditions=source', '--input-type=module-typescript', '-e', HELPERS + program],
      {
        cwd: import.meta.dirname,
        env: { PATH: process.env['PATH'], TMPDIR: temporary, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    child.stdout.on('data', (data: Buffer) => (output += data.toString()))
    child.on('close', (code) => resolve({ output, code }))
  })
}

/** The processes whose environment names the folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => processFact(pid, 'environ').includes(folder) && isRunning(pid))
}

function pidIn(output: string): number {
  return Number(/pid=(\d+)/.exec(output)?.[1])
}
