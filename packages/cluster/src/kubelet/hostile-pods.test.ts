import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigMap, CoreV1, Pod, Secret } from '@homeostat/api/kinds'
import { SystemClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mount } from '@homeostat/shell'
import { ContainerRoot } from './volumes/container-root.ts'
import { resolveEnvironment } from './sources/environment.ts'
import { openNodeFolder } from './folder.ts'
import { ProcessGuard } from './separation/index.ts'
import { runProcess } from './process/process-run.ts'
import type { PodSources } from './sources/pod-sources.ts'
import { PodTokens } from './sources/pod-tokens.ts'
import { PodVolumes } from './volumes/index.ts'
import { PodStage } from '../../test/pod-stage.ts'
import { isRunning, processFact } from '../../test/process-facts.ts'

/** Whether processes can be marked here: see ProcessMark. */
const CAN_MARK = process.platform === 'linux' && existsSync('/usr/bin/prlimit')

let temporary: string
const configMaps = new Map<string, Record<string, string>>()
const sources: PodSources = {
  configMap: (name) => Promise.resolve({ data: configMaps.get(name) } as ConfigMap),
  secret: () => Promise.resolve({ data: {} } as Secret),
  token: () => Promise.reject(new Error('no tokens here')),
  claim: () => Promise.reject(new Error('no claims here')),
}
const facts = { podIP: '', hostIP: '', allocatable: {} }

beforeEach(async () => {
  temporary = await realpath(await mkdtemp(join(tmpdir(), 'homeostat-hostile-')))
  configMaps.clear()
})
afterEach(() => rm(temporary, { recursive: true }))

describe('the volumes of a Pod', () => {
  let volumes: PodVolumes
  const podOf = (volume: Partial<CoreV1.Volume>): Pod =>
    ({ spec: { containers: [], volumes: [{ name: 'v', ...volume }] } }) as unknown as Pod
  const containerOf = (mount: Partial<CoreV1.VolumeMount>): CoreV1.Container => ({
    name: 'c',
    volumeMounts: [{ name: 'v', mountPath: '/m', ...mount }],
  })

  const sync = (pod: Pod): Promise<void> =>
    volumes.sync({ pod, facts, sources, tokens: new PodTokens(new SystemClock()) })
  const root = (path: string, mounts: readonly Mount[]): string => {
    const folder = join(path, 'containers/c')
    new ContainerRoot({ folder, mounts, openMounts: () => {}, files: {}, links: true }).make()
    return folder
  }

  beforeEach(() => {
    volumes = new PodVolumes(join(temporary, 'pod'))
  })

  it.each(['../escape', 'a/../../escape', '/escape', '..data', 'a\0b'])(
    'create nothing for the subPath %j',
    async (subPath) => {
      await sync(podOf({ emptyDir: {} }))
      expect(() => volumes.mounts(containerOf({ subPath }), {})).toThrow('the subPath')
      expect(await readdir(temporary)).toEqual(['pod'])
    },
  )

  it('create nothing behind a link that a container has put into one of them', async () => {
    await sync(podOf({ emptyDir: {} }))
    const outside = join(temporary, 'outside')
    await mkdir(outside)
    await symlink(outside, join(temporary, 'pod/volumes/v/link'))
    await symlink(join(temporary, 'not-there'), join(temporary, 'pod/volumes/v/dangling'))
    for (const subPath of ['link', 'link/made', 'link/made/deep', 'dangling', 'dangling/made']) {
      expect(() => volumes.mounts(containerOf({ subPath }), {})).toThrow('leads out of its volume')
    }
    expect(await readdir(outside)).toEqual([])
    expect(existsSync(join(temporary, 'not-there'))).toBe(false)
  })

  it.each([
    ['a key', { configMap: { name: 'a' } }],
    ['the path of an item', { configMap: { name: 'b', items: [{ key: 'k', path: '../../escape' }] } }],
    [
      'a projected path',
      { projected: { sources: [{ configMap: { name: 'b', items: [{ key: 'k', path: '/x' }] } }] } },
    ],
  ])('refuse %s that leads out of the volume', async (_, volume) => {
    configMaps.set('a', { '../escape': 'x' }).set('b', { k: 'x' })
    await expect(sync(podOf(volume))).rejects.toThrow('MountVolume.SetUp failed')
    expect(existsSync(join(temporary, 'escape'))).toBe(false)
  })

  it.each(['/', '/../../..', '..', '/m/../../..'])(
    'stay below the container when mounted at %s',
    async (mountPath) => {
      await sync(podOf({ emptyDir: {} }))
      const mounts = volumes.mounts(containerOf({ mountPath }), {})
      const folder = root(join(temporary, 'pod'), mounts)
      expect(folder).toBe(join(temporary, 'pod/containers/c'))
      expect(await readdir(temporary)).toEqual(['pod'])
    },
  )

  it('refuse a path that is a file and a folder', async () => {
    configMaps.set('b', { k: 'x' })
    const items = [
      { key: 'k', path: 'a' },
      { key: 'k', path: 'a/b/c' },
    ]
    await expect(sync(podOf({ configMap: { name: 'b', items } }))).rejects.toThrow(
      'the path "a" is a file, and "a/b/c" is in it',
    )
  })

  it('do not get the folders of a mount that stands inside of another', async () => {
    await sync({
      spec: {
        containers: [],
        volumes: [
          { name: 'a', emptyDir: {} },
          { name: 'b', emptyDir: {} },
        ],
      },
    } as unknown as Pod)
    const mounts = volumes.mounts(
      {
        name: 'c',
        volumeMounts: [
          { name: 'a', mountPath: '/a' },
          { name: 'b', mountPath: '/a/deep/b' },
        ],
      },
      {},
    )
    root(join(temporary, 'pod'), mounts)
    expect(await readdir(join(temporary, 'pod/volumes/a'))).toEqual([])
  })

  it('are linked also where the folder for temporary files is itself a link', async () => {
    await mkdir(join(temporary, 'real'))
    await symlink(join(temporary, 'real'), join(temporary, 'linked'))
    const { path } = await openNodeFolder(join(temporary, 'linked'))
    volumes = new PodVolumes(join(path, 'pod'))
    await sync(podOf({ emptyDir: {} }))
    const folder = root(join(path, 'pod'), volumes.mounts(containerOf({ mountPath: '/a/m' }), {}))
    expect(await realpath(join(folder, 'a/m'))).toBe(join(path, 'pod/volumes/v'))
  })
})

describe('a container that shares a volume', () => {
  it('cannot lead the folder that another starts in out of it', async () => {
    await using stage = await PodStage.open()
    const outside = join(temporary, 'outside')
    await mkdir(outside)
    const volumeMounts = [{ name: 'v', mountPath: '/v' }]
    await stage.run({
      restartPolicy: 'Never',
      initContainers: [
        { name: 'i', image: 'busybox', volumeMounts, command: ['ln', '-s', outside, '/v/link'] },
      ],
      containers: [
        { name: 'c', image: 'host', volumeMounts, workingDir: '/v/link/made', args: ['-c', 'pwd'] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    })
    expect(await readdir(outside)).toEqual([])
    expect(stage.status('c').state?.terminated).toMatchObject({ exitCode: 128, reason: 'StartError' })
  })

  it('cannot put a link in the place of a subPath once it was checked', async () => {
    await using stage = await PodStage.open()
    await stage.run({
      containers: [
        { name: 'a', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
        { name: 'b', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/sub', subPath: 'sub' }] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    })
    const { files } = stage.puppet('a').container
    files.rmdir('/v/sub')
    files.symlink('/', '/v/sub')
    await symlink(temporary, join(stage.folder, 'uid-1/volumes/v/other'))
    // It leads to the container's own root.
    expect(stage.puppet('b').container.files.list('/sub/etc')).toEqual(['hostname', 'hosts', 'resolv.conf'])
    expect(() => files.list('/v/other')).toThrow()
  })
})

describe('the environment of a container', () => {
  const pod = { metadata: { namespace: 'default', name: 'p', uid: 'u', labels: {} } } as unknown as Pod
  const resolve = (container: Partial<CoreV1.Container>): Promise<Record<string, string>> =>
    resolveEnvironment(pod, { name: 'c', ...container }, facts, sources)

  it('knows no keys but those that are there', async () => {
    configMaps.set('a', {})
    const env = [{ name: 'X', valueFrom: { configMapKeyRef: { name: 'a', key: 'constructor' } } }]
    await expect(resolve({ env })).rejects.toThrow("couldn't find key constructor in ConfigMap default/a")
    const label = [{ name: 'X', valueFrom: { fieldRef: { fieldPath: "metadata.labels['toString']" } } }]
    expect(await resolve({ env: label })).toMatchObject({ X: '' })
  })

  it('is refused with a NUL byte in it, without showing the value', async () => {
    const guard = new ProcessGuard(temporary)
    const write = (): void => undefined
    const shared = {
      folder: temporary,
      clock: new SystemClock(),
      guard,
      stdout: { write },
      stderr: { write },
    }
    const inValue = runProcess({ ...shared, argv: ['true'], env: { TOKEN: 'secret\0' } })
    expect(await inValue.exited).toMatchObject({
      exitCode: 128,
      message: 'the variable "TOKEN" has a NUL byte',
    })
    const inArgument = runProcess({ ...shared, argv: ['true', 'secret\0'], env: {} })
    expect(await inArgument.exited).toMatchObject({ exitCode: 128, message: 'an argument has a NUL byte' })
    await guard.close()
  })

  it('accepts any name of a variable', async () => {
    configMaps.set('a', JSON.parse('{"__proto__":"1","constructor":"2"}') as Record<string, string>)
    const variables = await resolve({ envFrom: [{ configMapRef: { name: 'a' } }] })
    expect(Object.entries(variables)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
    ])
  })
})

describe('a process that wants to outlive its cluster', () => {
  async function start(guard: ProcessGuard, script: string): Promise<number> {
    let output = ''
    const written = Promise.withResolvers<number>()
    const write = (text: string | Uint8Array): void => {
      output += Buffer.from(text).toString()
      const pid = /pid=(\d+)\n/.exec(output)?.[1]
      if (pid !== undefined) written.resolve(Number(pid))
    }
    const shared = { folder: temporary, clock: new SystemClock(), guard }
    runProcess({ ...shared, argv: ['sh', '-c', script], env: {}, stdout: { write }, stderr: { write } })
    return written.promise
  }

  it.runIf(existsSync('/proc/self/environ'))('by a session of its own does not', async () => {
    const guard = new ProcessGuard(temporary)
    const pid = await start(guard, `setsid sh -c 'echo pid=$$; exec sleep 600' & sleep 600`)
    const other = new ProcessGuard(join(temporary, 'other'))
    const bystander = await start(other, 'echo pid=$$; sleep 600')
    await guard.close()
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve))
    expect(isRunning(bystander)).toBe(true)
    await other.close()
  })

  /** Leaves its session, its environment, its folder, its files and its parent behind. */
  const HIDDEN = `cd /; setsid env -i sh -c '(sleep 600 <&- >&- 2>&- & echo pid=$!)'`

  it.runIf(CAN_MARK)('by hiding in every way it knows does not', async () => {
    const guard = new ProcessGuard(temporary)
    const pid = await start(guard, `${HIDDEN}; sleep 600`)
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(temporary)
    const other = new ProcessGuard(join(temporary, 'other'))
    const bystander = await start(other, `${HIDDEN}; sleep 600`)
    await guard.close()
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve))
    expect(isRunning(bystander)).toBe(true)
    await other.close()
    while (isRunning(bystander)) await new Promise((resolve) => setImmediate(resolve))
  })

  it.runIf(CAN_MARK)('does not outlive its container either, and others do', async () => {
    const guard = new ProcessGuard(temporary)
    const pid = await start(guard, `${HIDDEN}; read -r line`)
    const neighbour = await start(guard, `${HIDDEN}; sleep 600`)
    // Its input is empty, so that it has ended by itself.
    while (isRunning(pid)) await new Promise((resolve) => setImmediate(resolve))
    expect(isRunning(neighbour)).toBe(true)
    await guard.close()
  })

  it.runIf(CAN_MARK)(
    'is ended by the next node with the same folder, should the guard have been ended too',
    async () => {
      const guard = new ProcessGuard(temporary)
      const pid = await start(guard, `${HIDDEN}; sleep 600`)
      await new ProcessGuard(join(temporary, 'other')).endStrays()
      expect(isRunning(pid)).toBe(true)
      await new ProcessGuard(temporary).endStrays()
      expect(isRunning(pid)).toBe(false)
      await guard.close()
    },
  )

  it.runIf(existsSync('/proc/self/environ'))(
    'by ending the guard does not: the next one knows of it',
    async () => {
      const guard = new ProcessGuard(temporary)
      const first = await start(guard, 'echo pid=$$; sleep 600')
      const parent = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
        .trim()
        .split(' ')
      const guards = parent.filter((pid) => processFact(pid, 'cmdline').includes(`=${temporary}`))
      for (const pid of guards) process.kill(Number(pid), 'SIGKILL')
      while (guards.some((pid) => existsSync(`/proc/${pid}`)))
        await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
      const second = await start(guard, 'echo pid=$$; sleep 600')
      expect([first, second].map(isRunning)).toEqual([true, true])
      await guard.close()
      while (isRunning(first) || isRunning(second)) await new Promise((resolve) => setImmediate(resolve))
    },
  )
})
