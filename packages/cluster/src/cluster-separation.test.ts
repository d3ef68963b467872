import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DeepReadonly } from '@homeostat/api'
import { Event, Pod, type CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isRunning, processFact } from '../test/process-facts.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { Cluster } from './cluster.ts'

const namespace = 'default'
const SLOW = { timeout: 90_000 }

let temporary: string
let kubeconfig: string
let cluster: Cluster | undefined

beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), 'homeostat-separation-')))
  kubeconfig = join(temporary, 'kubeconfig')
})
afterEach(async () => {
  await cluster?.close()
  cluster = undefined
  vi.unstubAllEnvs()
  await rm(temporary, { recursive: true })
})

async function start(options: ClusterOptions = {}): Promise<Cluster> {
  cluster = await Cluster.start({
    dataDir: join(temporary, 'data'),
    secretFiles: [kubeconfig],
    onListening: (text) => writeFileSync(kubeconfig, text),
    images: { shell: { command: 'sh', hostCommands: true } },
    ...options,
  })
  return cluster
}

async function create(name: string, script: string, more: Partial<CoreV1.Container> = {}): Promise<void> {
  await cluster?.client.create(Pod, {
    metadata: { namespace, name },
    spec: { restartPolicy: 'Never', containers: [{ name, image: 'shell', args: ['-c', script], ...more }] },
  })
}

async function statusOf(name: string): Promise<DeepReadonly<CoreV1.ContainerStatus> | undefined> {
  return (await cluster?.client.get(Pod, { namespace, name }))?.status.containerStatuses?.[0]
}

async function ended(name: string): Promise<DeepReadonly<CoreV1.ContainerStateTerminated> | undefined> {
  const state = async () => (await statusOf(name))?.state?.terminated
  await expect.poll(state, { timeout: 60_000 }).toBeDefined()
  return state()
}

async function logOf(name: string): Promise<string> {
  let text = ''
  for await (const chunk of cluster?.logs({ namespace, pod: name }) ?? [])
    text += Buffer.from(chunk).toString()
  return text
}

/** The processes of containers whose cluster has its folder in the test's, by name. */
function processesOf(command: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!processFact(pid, 'environ').includes(temporary) || !isRunning(pid)) return []
    return processFact(pid, 'comm').trim() === command ? [Number(pid)] : []
  })
}

const probe = await Cluster.start({ port: false })
const problems = await probe.separationProblems()
await probe.close()
const missing = new Set(problems.map(({ what }) => what))
const notHere = problems.map(({ why }) => why).join(', ')
const where = notHere === '' ? '' : ` (not here: ${notHere})`
const [hidesFiles, limits, keepsAddresses] = [
  "cluster's keys",
  'nothing limits',
  'listen on the address',
].map((text) => ![...missing].some((what) => what.includes(text)))

/** Says what it can get of the administrator's kubeconfig and of the other Pod's token. */
function attack(file: string, data: string, host: number): string {
  return `
    exec 2>/dev/null
    look() { cat ${file}; find ${data} -name token -exec cat {} +; find ${data} -name 'kubeconfig' -exec cat {} +; }
    look
    umount ${data} ${file}; look
    cat /proc/${host}/root${file} /proc/${host}/cwd/../..${file} /proc/*/environ
    nsenter -t ${host} -m -p sh -c 'cat ${file}'
    nsenter -t 1 -m sh -c 'cat ${file}'
    unshare -rm sh -c 'umount ${data}; umount ${file}; cat ${file}; find ${data} -name token -exec cat {} +'
    kill -KILL ${host}
    for pid in /proc/[0-9]*; do cat $pid/root${file}; find $pid/root${data} -name token -exec cat {} +; done
    echo done`
}

describe('a Pod that tries to read the secrets of others', SLOW, () => {
  const secret = { name: 'secret', value: 'the other Pod’s variable' }

  async function look(folder: string): Promise<{ output: string; own: string; other: string }> {
    await create('victim', 'cat var/run/secrets/kubernetes.io/serviceaccount/token; echo; sleep 600', {
      env: [secret],
    })
    await expect.poll(() => logOf('victim').catch(() => '')).toMatch(/^ey/)
    const own = 'cat var/run/secrets/kubernetes.io/serviceaccount/token; echo; echo ---;'
    await create('thief', own + attack(kubeconfig, folder, process.pid))
    await ended('thief')
    const [before = '', output = ''] = (await logOf('thief')).split('---\n')
    return { own: before.trim(), output, other: (await logOf('victim')).trim() }
  }

  it.runIf(hidesFiles).each([
    ['data', { dataDir: 'data' }],
    ['temporary', { dataDir: undefined }],
  ])(
    'reads neither the kubeconfig nor another Pod’s token or variables from the %s folder',
    async (_, at) => {
      vi.stubEnv('TMPDIR', temporary)
      await start({ dataDir: at.dataDir && join(temporary, at.dataDir) })
      const { output, own, other } = await look(join(temporary, at.dataDir ?? ''))
      expect([own, other].map((token) => token.startsWith('ey'))).toEqual([true, true])
      expect(own).not.toBe(other)
      expect(output).toContain('done')
      expect(output).not.toContain(other)
      expect(output).not.toContain('client-key')
      expect(output).not.toContain('token:')
      expect(output).not.toContain(secret.value)
      expect((await statusOf('victim'))?.state?.running).toBeDefined()
    },
  )

  it(`is reported at the start where nothing prevents it${where}`, async () => {
    await start({ separation: false })
    expect(await cluster?.separationProblems()).toContainEqual({
      what: expect.stringContaining("read the cluster's keys") as string,
      why: 'separation is false',
    })
    await create('thief', `cat ${kubeconfig}`)
    await ended('thief')
    expect(await logOf('thief')).toContain('clusters:')
  })
})

describe.runIf(keepsAddresses)('a Pod that listens on the address of another', SLOW, () => {
  // Listening on all addresses fails where any other program of the machine has the port.
  let port = 0
  beforeAll(async () => {
    const server = createServer().listen(0, '0.0.0.0')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    await promisify(server.close.bind(server))()
  })
  // The pauses are longer than the intervals after which sockets and open files are looked at.
  const LATE = 'time.sleep(2)'
  const AGAIN = 's.listen(); time.sleep(2); s.shutdown(2)'
  const listen = (address: string, first: string, then: string): string => `
import socket, time, os
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); ${first}
s.bind((${address}, ${port})); ${then}; s.listen(); print('listening', flush=True); time.sleep(600)`
  const python = (address: string, first = '', then = 'pass'): Partial<CoreV1.Container> => ({
    command: ['python3', '-c', listen(address, first, then)],
    args: [],
    ports: [{ containerPort: port }],
  })

  it.each(['other', 'late', 'again', 'all', 'service'])(
    '(%s) is ended, with an event that says why',
    async (which) => {
      const started = await start()
      const { client } = started
      await create('own', '', python('os.environ["HOMEOSTAT_POD_ADDRESS"]'))
      await expect.poll(() => logOf('own').catch(() => '')).toContain('listening')
      await create('waiting', 'sleep 600', { ports: [{ containerPort: port }] })
      const pod = async () => await client.get(Pod, { namespace, name: 'waiting' })
      await expect.poll(async () => (await pod())?.status.podIP).toBeDefined()
      const [, , third, fourth] = ((await pod())?.status.podIP ?? '').split('.')
      const { host } = await started.serviceAddress({ namespace, name: 'kubernetes' })
      const block = host.split('.')[1]
      const other = `'127.${block}.${third}.${fourth}'`
      const address = { other, late: other, again: other, all: `'0.0.0.0'`, service: `'${host}'` }[which]
      if (which === 'all') await client.delete(Pod, { namespace, name: 'own' }, { gracePeriodSeconds: 0 })
      if (which === 'all')
        await expect.poll(() => client.get(Pod, { namespace, name: 'own' })).toBeUndefined()
      const first = which === 'again' ? AGAIN : ''
      const then = which === 'late' ? LATE : 'pass'
      await create('squatter', '', python(address ?? '', first, then))
      expect(await ended('squatter')).toMatchObject({ exitCode: 137, signal: 9 })
      expect(await logOf('squatter')).toContain('listening')
      const told = async () =>
        (await client.list(Event, { namespace })).find(({ reason }) => reason === 'AddressRefused')?.note
      await expect.poll(told).toMatch(/squatter was ended: it listens on .*HOMEOSTAT_POD_ADDRESS$/)
      if (which !== 'all') expect((await statusOf('own'))?.state?.running).toBeDefined()
    },
  )
})

describe.runIf(limits)('a container with limits', SLOW, () => {
  it('is ended by the system when it uses more memory than it may', async () => {
    await start()
    const resources = { limits: { memory: '64Mi' } }
    await create('hungry', '', {
      command: ['python3', '-c', 'b = bytearray(); \nwhile True: b.extend(bytes(8 << 20))'],
      args: [],
      resources,
    })
    expect(await ended('hungry')).toMatchObject({ exitCode: 137, signal: 9, reason: 'OOMKilled' })
    await create('modest', 'echo fine', { resources })
    expect(await ended('modest')).toMatchObject({ exitCode: 0, reason: 'Completed' })
  })

  it('may have 4096 processes and threads where nothing else is said', async () => {
    await start()
    await create('many', 'cat /proc/self/cgroup; sleep 600')
    const group = /^(?:\d+:(?:.*,)?pids(?:,.*)?|0:):(.+)$/m
    await expect.poll(() => logOf('many').catch(() => '')).toMatch(group)
    const path = group.exec(await logOf('many'))?.[1] ?? ''
    const files = ['pids/', ''].map((part) => join('/sys/fs/cgroup', part, path, 'pids.max'))
    expect(files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))).toEqual([
      '4096\n',
    ])
  })

  it('starts no more processes than it may, and ends with all of them', async () => {
    await start({ processLimit: 32 })
    await create(
      'bomb',
      'n=0; while sleep 600 & do n=$((n+1)); [ $n -lt 200 ] || break; done; echo started $n',
    )
    const exit = await ended('bomb')
    expect(exit?.reason).toBe('Error')
    expect(await logOf('bomb')).toMatch(/fork/i)
    expect(processesOf('sleep')).toEqual([])
  })
})

describe('a process that wants to outlive its cluster', SLOW, () => {
  /** Leaves its session, its environment, its folder, its files and its parents behind. */
  const HIDE = 'cd /; setsid env -i sh -c "(setsid sleep 60001 <&- >&- 2>&- &)" & sleep 60002'
  const sleepers = (): number[] =>
    readdirSync('/proc')
      .filter((pid) => /^sleep\0(?:60001|60002)\0$/.test(processFact(pid, 'cmdline')) && isRunning(pid))
      .map(Number)

  it.runIf(hidesFiles || limits)('does not, even when the cluster and its guard are killed', async () => {
    const program = `
      import { readFileSync } from 'node:fs'
      import { Cluster } from './index.ts'
      import { Pod } from '@homeostat/api/kinds'
      const images = { shell: { command: 'sh', hostCommands: true } }
      const cluster = await Cluster.start({ dataDir: ${JSON.stringify(join(temporary, 'data'))}, port: false, images })
      const spec = { containers: [{ name: 'c', image: 'shell', args: ['-c', ${JSON.stringify(HIDE)}] }] }
      await cluster.client.create(Pod, { metadata: { namespace: 'default', name: 'pod' }, spec })
      console.log('ready')
      process.stdin.on('data', () => {
        const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim().split(' ')
        for (const pid of children) {
          if (readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('guard')) process.kill(Number(pid), 'SIGKILL')
        }
        process.kill(process.pid, 'SIGKILL')
      })
    `
    const child = spawn(
      process.execPath,
      ['--conditions=source', '--input-type=module-typescript', '-e', program],
      {
        cwd: import.meta.dirname,
        env: { PATH: process.env['PATH'], TMPDIR: temporary },
        stdio: ['pipe', 'inherit', 'inherit'],
      },
    )
    const gone = new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(sleepers).toHaveLength(2)
    child.stdin.write('now\n')
    await gone
    await expect.poll(sleepers).toEqual([])
  })
})
