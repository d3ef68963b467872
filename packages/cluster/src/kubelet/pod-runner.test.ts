import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import type { ConfigMap, CoreV1, Pod, Secret } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundledImages, type Container, type ImageMap } from '../images/index.ts'
import { Loopback, PodNetwork } from '../network/index.ts'
import { PodRunner } from './pod-runner.ts'
import { ProcessGuard } from './process-guard.ts'

let clock: SimulatedClock
let folder: string
let loopback: Loopback
let guard: ProcessGuard
let runner: PodRunner
let pod: Pod
let steps: number
const configMaps = new Map<string, Partial<ConfigMap>>()
const secrets = new Map<string, Partial<Secret>>()

/** A container that a test ends at will. */
interface Puppet {
  readonly container: Container
  exit(code: number): void
}
let puppets: Puppet[]
const puppet = (container: Container): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  puppets.push({ container, exit: resolve })
  container.signal.addEventListener('abort', () => resolve(0))
  return promise
}
const deaf = (): Promise<number> => new Promise(() => undefined)
const images: ImageMap = { ...bundledImages, puppet: { module: puppet }, deaf: { module: deaf } }

beforeEach(async () => {
  clock = new SimulatedClock()
  folder = await mkdtemp(join(tmpdir(), 'homeostat-kubelet-'))
  loopback = await Loopback.claim()
  guard = new ProcessGuard(folder)
  puppets = []
  steps = 0
  configMaps.clear()
  secrets.clear()
})
afterEach(async () => {
  await runner.close()
  await guard.close()
  await loopback.close()
  await rm(folder, { recursive: true })
})

/** Runs a Pod as the kubelet does: a step and the new status whenever something changes. */
async function run(spec: Partial<CoreV1.PodSpec>): Promise<void> {
  pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      name: 'web',
      uid: 'uid-1',
      generation: 1,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T12:00:00Z',
    },
    spec: { restartPolicy: 'Always', ...spec } as CoreV1.PodSpec,
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  }
  runner = new PodRunner(pod, {
    clock,
    images,
    guard,
    network: new PodNetwork(loopback),
    hostIP: '127.0.0.1',
    folder,
    changed: () => void step(),
  })
  await step()
  await clock.settle()
}

let stepping: Promise<void> = Promise.resolve()
function step(): Promise<void> {
  const work = clock.busy('a step')
  const before = stepping
  stepping = (async () => {
    await before
    steps++
    await runner.step(pod, {
      configMap: (name) => Promise.resolve(configMaps.get(name) as ConfigMap | undefined),
      secret: (name) => Promise.resolve(secrets.get(name) as Secret | undefined),
    })
    pod = { ...pod, status: runner.status(pod) }
    work.end()
  })()
  return stepping
}

function status(): CoreV1.ContainerStatus {
  return pod.status.containerStatuses?.[0] as CoreV1.ContainerStatus
}
function condition(type: string): string | undefined {
  return pod.status.conditions?.find((entry) => entry.type === type)?.status
}
async function logOf(name: string, options: { previous?: boolean } = {}): Promise<string> {
  let text = ''
  for await (const chunk of runner.log(name, options)?.read() ?? []) text += new TextDecoder().decode(chunk)
  return text
}
async function remove(graceSeconds: number): Promise<void> {
  pod = {
    ...pod,
    metadata: { ...pod.metadata, deletionTimestamp: 'now', deletionGracePeriodSeconds: graceSeconds },
  }
  await step()
  await clock.settle()
}

describe('running a Pod', () => {
  it('does not tell a secret that stands where a command should', async () => {
    secrets.set('s', { data: { k: Buffer.from('hidden').toString('base64') } })
    const env = [{ name: 'K', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }]
    const container = { image: 'busybox', command: ['$(K)'], env }
    await run({ restartPolicy: 'Never', containers: [{ name: 'a', ...container }] })
    expect(status().state?.terminated?.message).toContain('the command "$(K)" is not allowed')
    expect(JSON.stringify([pod.status, runner.takeEvents()])).not.toContain('hidden')
  })

  it('starts no command with a variable that would make it run other code', async () => {
    const env = [{ name: 'LD_PRELOAD', value: '/m/code.so' }]
    await run({ containers: [{ name: 'a', image: 'busybox', command: ['true'], env }] })
    expect(status().state?.waiting).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining('the variable LD_PRELOAD can make the command run other code'),
    })
  })

  it('shows it as a node does once its containers run', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet', ports: [{ containerPort: 80 }] }] })
    expect(pod.status).toMatchObject({
      phase: 'Running',
      podIP: '10.244.0.2',
      podIPs: [{ ip: '10.244.0.2' }],
      hostIP: '127.0.0.1',
      startTime: '2026-01-01T12:00:00Z',
      qosClass: 'BestEffort',
      observedGeneration: 1,
    })
    expect(status()).toMatchObject({
      name: 'a',
      state: { running: { startedAt: '2026-01-01T12:00:00Z' } },
      ready: true,
      started: true,
      restartCount: 0,
      image: 'puppet',
    })
    expect(pod.status.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
    ])
    expect(runner.takeEvents().map((event) => event.reason)).toEqual(['Pulled', 'Created', 'Started'])
  })

  it('gives a module its arguments, variables, mounts and address', async () => {
    configMaps.set('config', { data: { color: 'blue', 'file.txt': 'text' } })
    secrets.set('token', { data: { token: Buffer.from('hush').toString('base64') } })
    await run({
      containers: [
        {
          name: 'a',
          image: 'puppet:1.0',
          command: ['serve'],
          args: ['--color=$(COLOR)', '$$(COLOR)', '$(UNKNOWN)'],
          env: [
            { name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'config', key: 'color' } } },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'token', key: 'token' } } },
            { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
            { name: 'BOTH', value: '$(NAME)-$(COLOR)' },
            { name: 'NONE', valueFrom: { configMapKeyRef: { name: 'x', key: 'y', optional: true } } },
          ],
          volumeMounts: [
            { name: 'config', mountPath: '/etc/config/' },
            { name: 'scratch', mountPath: '/tmp/scratch', subPath: 'a/b' },
          ],
        },
      ],
      volumes: [
        { name: 'config', configMap: { name: 'config' } },
        { name: 'scratch', emptyDir: {} },
      ],
    })
    const { container } = puppets[0] as Puppet
    expect(container.command).toEqual(['serve'])
    expect(container.args).toEqual(['--color=blue', '$(COLOR)', '$(UNKNOWN)'])
    expect(container.env).toEqual({
      COLOR: 'blue',
      TOKEN: 'hush',
      NAME: 'web',
      IP: '10.244.0.2',
      BOTH: 'web-blue',
    })
    expect(await readFile(join(container.mounts['/etc/config'] ?? '', 'file.txt'), 'utf8')).toBe('text')
    expect(await readdir(container.mounts['/tmp/scratch'] ?? '')).toEqual([])
    expect(container.address).toMatch(/^127\./)
  })

  it('runs a command as a process and keeps its log', async () => {
    await run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'busybox', command: ['sh', '-c', 'echo hi'] }],
    })
    expect(pod.status.phase).toBe('Succeeded')
    expect(status().state).toMatchObject({ terminated: { exitCode: 0, reason: 'Completed' } })
    expect(condition('Ready')).toBe('False')
    expect(await logOf('a')).toBe('hi\n')
  })

  it('shows files of its volumes to a process below its folder', async () => {
    configMaps.set('book', { data: { 'README.md': '# Hi' } })
    await run({
      restartPolicy: 'Never',
      containers: [
        {
          name: 'a',
          image: 'busybox',
          workingDir: '/book',
          args: ['-c', 'cat src/README.md'],
          volumeMounts: [{ name: 'v', mountPath: '/book/src' }],
        },
      ],
      volumes: [{ name: 'v', configMap: { name: 'book' } }],
    })
    expect(await logOf('a')).toBe('# Hi')
  })

  it('fails a Pod that never restarts when its container fails', async () => {
    await run({ restartPolicy: 'Never', containers: [{ name: 'a', image: 'puppet' }] })
    puppets[0]?.exit(7)
    await clock.settle()
    expect(pod.status.phase).toBe('Failed')
    expect(status().state?.terminated).toMatchObject({ exitCode: 7, reason: 'Error' })
  })

  it('runs init containers one after the other before the others', async () => {
    await run({
      initContainers: [
        { name: 'first', image: 'puppet' },
        { name: 'second', image: 'puppet' },
      ],
      containers: [{ name: 'a', image: 'puppet' }],
    })
    const names = (): string[] => puppets.map(({ container }) => container.name)
    expect(names()).toEqual(['first'])
    expect(pod.status.phase).toBe('Pending')
    expect(condition('Initialized')).toBe('False')
    expect(status().state).toEqual({ waiting: { reason: 'PodInitializing' } })
    puppets[0]?.exit(0)
    await clock.settle()
    expect(names()).toEqual(['first', 'second'])
    puppets[1]?.exit(1)
    await clock.settle()
    expect(names()).toEqual(['first', 'second', 'second'])
    puppets[2]?.exit(0)
    await clock.settle()
    expect(names()).toEqual(['first', 'second', 'second', 'a'])
    expect(pod.status.phase).toBe('Running')
    expect(condition('Initialized')).toBe('True')
  })

  it('fails a Pod whose time is over', async () => {
    await run({ activeDeadlineSeconds: 60, containers: [{ name: 'a', image: 'puppet' }] })
    await clock.advance('59s')
    expect(pod.status.phase).toBe('Running')
    await clock.advance('1s')
    expect(pod.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' })
  })
})

describe('starting a container again', () => {
  it('waits not at all, then 10 s, 20 s, 40 s and at most 5 min', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    const waits: number[] = []
    for (let starts = 1; starts <= 9; starts++) {
      const before = clock.now()
      puppets.at(-1)?.exit(1)
      await clock.settle()
      while (puppets.length === starts) await clock.advance('1s')
      waits.push((clock.now() - before) / 1_000)
    }
    expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300])
    expect(status()).toMatchObject({ restartCount: 9, lastState: { terminated: { exitCode: 1 } } })
  })

  it('forgets its failures after ten minutes without one', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    puppets[0]?.exit(1)
    await clock.settle()
    await clock.advance('11m')
    puppets[1]?.exit(1)
    await clock.settle()
    expect(puppets).toHaveLength(3)
  })

  it('reads as on a node while it waits', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    puppets[0]?.exit(2)
    await clock.settle()
    puppets[1]?.exit(2)
    await clock.settle()
    expect(pod.status.phase).toBe('Running')
    expect(status()).toMatchObject({
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 10s restarting failed container=a pod=web_default(uid-1)',
        },
      },
      lastState: { terminated: { exitCode: 2 } },
      ready: false,
      restartCount: 1,
    })
  })

  it('keeps the log of the run before', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    puppets[0]?.container.stdout.write('first\n')
    puppets[0]?.exit(1)
    await clock.settle()
    puppets[1]?.container.stdout.write('second\n')
    expect(await logOf('a')).toBe('second\n')
    expect(await logOf('a', { previous: true })).toBe('first\n')
  })

  it('does not start one again that succeeded, where only failures count', async () => {
    await run({ restartPolicy: 'OnFailure', containers: [{ name: 'a', image: 'puppet' }] })
    puppets[0]?.exit(0)
    await clock.settle()
    expect(pod.status.phase).toBe('Succeeded')
    expect(puppets).toHaveLength(1)
  })

  it('puts what a module throws into its log', async () => {
    await run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'peaceiris/mdbook', args: ['build'] }],
    })
    expect(status().state?.terminated).toMatchObject({ exitCode: 1, reason: 'Error' })
    expect(await logOf('a')).toContain('only mdbook serve is')
  })
})

describe('what a Pod lacks', () => {
  it('is an image that nothing is mapped to', async () => {
    await run({ containers: [{ name: 'a', image: 'nginx:1.27' }] })
    expect(pod.status.phase).toBe('Pending')
    expect(status().state?.waiting).toMatchObject({ reason: 'ErrImagePull' })
    expect(runner.takeEvents()[0]).toEqual({
      type: 'Warning',
      reason: 'Failed',
      message:
        'Failed to pull image "nginx:1.27": nothing is mapped to it: start the cluster with images: { "nginx": … }',
    })
    await clock.advance('1s')
    expect(status().state?.waiting).toMatchObject({
      reason: 'ImagePullBackOff',
      message: expect.stringContaining('Back-off pulling image "nginx:1.27"'),
    })
    await clock.advance('9s')
    expect(status().state?.waiting).toMatchObject({ reason: 'ErrImagePull' })
  })

  it('is a command that the mapping does not allow', async () => {
    await run({
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'busybox', command: ['rm', '-rf', '/'] }],
    })
    expect(status().state?.terminated).toMatchObject({
      exitCode: 128,
      reason: 'StartError',
      message: expect.stringContaining('hostCommands: true'),
    })
  })

  it('is a ConfigMap that it mounts, until it is there', async () => {
    await run({
      containers: [{ name: 'a', image: 'puppet' }],
      volumes: [{ name: 'v', configMap: { name: 'late' } }],
    })
    expect(status().state).toEqual({ waiting: { reason: 'ContainerCreating' } })
    expect(runner.takeEvents()).toEqual([
      {
        type: 'Warning',
        reason: 'FailedMount',
        message: 'MountVolume.SetUp failed for volume "v" : configmap "late" not found',
      },
    ])
    configMaps.set('late', { data: {} })
    await clock.advance('10s')
    expect(pod.status.phase).toBe('Running')
  })

  it('is a Secret that a variable comes from', async () => {
    await run({
      containers: [
        {
          name: 'a',
          image: 'puppet',
          env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
        },
      ],
    })
    expect(status().state).toEqual({
      waiting: { reason: 'CreateContainerConfigError', message: 'secret "s" not found' },
    })
    secrets.set('s', { data: {} })
    await clock.advance('10s')
    expect(status().state?.waiting?.message).toBe("couldn't find key k in Secret default/s")
    secrets.set('s', { data: { k: '' } })
    await clock.advance('10s')
    expect(status().state?.running).toBeDefined()
  })

  it.each([
    [{ name: 'v', hostPath: { path: '/' } }, 'hostPath'],
    [{ name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: '../../x' }] } }, '".."'],
    [{ name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: '/etc/x' }] } }, 'relative path'],
    [{ name: 'v', configMap: { name: 'evil' } }, 'cannot be the name of a file'],
  ])('is a volume like %j', async (volume, message) => {
    configMaps.set('c', { data: { k: 'v' } })
    configMaps.set('evil', { data: { '../../escaped': 'v' } })
    await run({ containers: [{ name: 'a', image: 'puppet' }], volumes: [volume] })
    expect(runner.takeEvents()[0]?.message).toContain(message)
    expect(puppets).toHaveLength(0)
  })

  it('is a subPath that leads out of its volume', async () => {
    await run({
      containers: [
        { name: 'a', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/x', subPath: '../..' }] },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    })
    expect(status().state?.waiting?.message).toContain('".."')
  })
})

describe('volumes that follow', () => {
  it('show a new version of a ConfigMap all at once, and drop what is gone', async () => {
    configMaps.set('c', { data: { a: '1', b: '1' } })
    await run({
      containers: [{ name: 'a', image: 'puppet', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', configMap: { name: 'c' } }],
    })
    const path = puppets[0]?.container.mounts['/v'] ?? ''
    expect((await readdir(path)).filter((name) => !name.startsWith('..'))).toEqual(['a', 'b'])
    configMaps.set('c', { data: { b: '2', c: '2' } })
    await step()
    expect(
      (await readdir(path)).filter((name) => !name.startsWith('..')).sort((x, y) => (x < y ? -1 : 1)),
    ).toEqual(['b', 'c'])
    expect(await readFile(join(path, 'b'), 'utf8')).toBe('2')
    expect((await readdir(path)).filter((name) => name.startsWith('..v'))).toEqual(['..v1', '..v2'])
  })
})

describe('ending a Pod', () => {
  it('asks containers to end, and is over when they have', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    await remove(30)
    expect(runner.stopped).toBe(true)
    expect(status().state?.terminated).toMatchObject({ exitCode: 0 })
    expect(runner.takeEvents().at(-1)).toEqual({
      type: 'Normal',
      reason: 'Killing',
      message: 'Stopping container a',
    })
  })

  it('ends by force after the grace period', async () => {
    await run({ containers: [{ name: 'a', image: 'deaf' }] })
    await remove(30)
    await clock.advance('29s')
    expect(runner.stopped).toBe(false)
    await clock.advance('1s')
    expect(runner.stopped).toBe(true)
    expect(status().state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' })
  })

  it('takes a shorter grace period in place of a longer one', async () => {
    await run({ containers: [{ name: 'a', image: 'deaf' }] })
    await remove(30)
    await remove(1)
    await clock.advance('1s')
    expect(runner.stopped).toBe(true)
  })

  it('sends a process SIGTERM', async () => {
    await run({ containers: [{ name: 'a', image: 'busybox', args: ['-c', 'sleep 100'] }] })
    expect(pod.status.phase).toBe('Running')
    await remove(30)
    expect(runner.stopped).toBe(true)
    expect(status().state?.terminated).toMatchObject({ exitCode: 143 })
  })

  it('starts nothing again', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    puppets[0]?.exit(1)
    await clock.settle()
    puppets[1]?.exit(1)
    await clock.settle()
    await remove(30)
    await clock.advance('1h')
    expect(puppets).toHaveLength(2)
    expect(runner.stopped).toBe(true)
  })

  it('leaves no file and no timer', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }], volumes: [{ name: 'v', emptyDir: {} }] })
    expect(await readdir(folder)).toEqual(['uid-1'])
    await runner.close()
    expect(await readdir(folder)).toEqual([])
    expect(clock.nextDue()).toBeUndefined()
    const before = steps
    await clock.advance('1h')
    expect(steps).toBeLessThanOrEqual(before + 1)
  })
})

describe('probes', () => {
  const web: CoreV1.Container = {
    name: 'a',
    image: 'peaceiris/mdbook',
    args: ['serve'],
    ports: [{ name: 'http', containerPort: 3000 }],
  }

  it('make a container ready by a web request to a named port', async () => {
    await run({ containers: [{ ...web, readinessProbe: { httpGet: { path: '/', port: 'http' } } }] })
    expect(status()).toMatchObject({ ready: true, started: true })
    expect(condition('Ready')).toBe('True')
  })

  it('look first after the initial delay', async () => {
    await run({
      containers: [{ ...web, readinessProbe: { initialDelaySeconds: 5, tcpSocket: { port: 3000 } } }],
    })
    expect(pod.status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotReady',
      message: 'containers with unready status: [a]',
    })
    await clock.advance('5s')
    expect(condition('Ready')).toBe('True')
  })

  it('keep a container from being ready while they fail, and say why', async () => {
    await run({ containers: [{ ...web, readinessProbe: { httpGet: { path: '/none', port: 3000 } } }] })
    expect(status().ready).toBe(false)
    await clock.advance('1m')
    expect(status()).toMatchObject({ ready: false, restartCount: 0 })
    expect(runner.takeEvents().filter(({ reason }) => reason === 'Unhealthy')).toEqual(
      Array.from({ length: 7 }, () => ({
        type: 'Warning',
        reason: 'Unhealthy',
        message: 'Readiness probe failed: HTTP probe failed with statuscode: 404',
      })),
    )
  })

  it('start a container again that is no longer alive, after so many failures in a row', async () => {
    await run({
      containers: [
        { ...web, livenessProbe: { tcpSocket: { port: 9 }, periodSeconds: 10, failureThreshold: 3 } },
      ],
    })
    await clock.advance('19s')
    expect(status().restartCount).toBe(0)
    await clock.advance('1s')
    expect(status()).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 0 } } })
    expect(runner.takeEvents()).toContainEqual({
      type: 'Normal',
      reason: 'Killing',
      message: 'Container a failed liveness probe, will be restarted',
    })
  })

  it('hold the others back until a container has started', async () => {
    await run({
      restartPolicy: 'Always',
      containers: [
        {
          name: 'a',
          image: 'busybox',
          args: ['-c', 'sleep 100'],
          startupProbe: { exec: { command: ['test', '-e', 'up'] }, failureThreshold: 30 },
          livenessProbe: { exec: { command: ['false'] }, failureThreshold: 1 },
        },
      ],
    })
    await clock.advance('30s')
    expect(status()).toMatchObject({ started: false, ready: false, restartCount: 0 })
  })

  it('count a look that takes too long as a failure', async () => {
    await run({
      containers: [
        {
          name: 'a',
          image: 'busybox',
          args: ['-c', 'sleep 100'],
          readinessProbe: { exec: { command: ['sleep', '100'] }, timeoutSeconds: 1, failureThreshold: 1 },
        },
      ],
    })
    await clock.advance('1s')
    expect(runner.takeEvents()).toContainEqual(expect.objectContaining({ reason: 'Unhealthy' }))
  })
})

describe('a node that comes back', () => {
  it('counts what ran before as ended, and starts it again', async () => {
    await run({ containers: [{ name: 'a', image: 'puppet' }] })
    const before = pod
    await runner.close()
    pod = before
    runner = new PodRunner(before, {
      clock,
      images,
      guard,
      network: new PodNetwork(loopback),
      hostIP: '127.0.0.1',
      folder,
      changed: () => void step(),
    })
    await step()
    await clock.settle()
    expect(status()).toMatchObject({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } },
    })
  })
})
