import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Cluster, type Container } from '@homeostat/cluster'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBinaries } from '../kubernetes/binaries.ts'
import { goTool } from '../manifests/go-tools.ts'
import { followOutput } from '../program-output.ts'

/** stern, which follows the logs of several Pods. It needs nodes, so it runs on our cluster alone. */
const run = promisify(execFile)

const isWanted = process.env['HOMEOSTAT_BUILD_CLIENTS'] === '1'
const running = new Map<string, Container>()
let cluster: Cluster
let folder: string
let kubeconfig: string

beforeAll(async () => {
  if (!isWanted) return
  folder = mkdtempSync(join(tmpdir(), 'homeostat-stern-'))
  kubeconfig = join(folder, 'kubeconfig')
  cluster = await Cluster.start({
    images: {
      // Writes its lines, and then what the test writes through it.
      talker: {
        module: async (container) => {
          for (const line of container.args) container.stdout.write(`${line}\n`)
          running.set(`${container.pod.name}/${container.name}`, container)
          await new Promise((resolve) => container.signal.addEventListener('abort', resolve, { once: true }))
        },
      },
    },
  })
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
})
afterAll(async () => {
  await cluster?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(!isWanted)('stern on our cluster', { timeout: 1_800_000 }, () => {
  test('prints all lines of the Pods that it is asked for, with their names, and ends', async ({ skip }) => {
    const stern = await goTool('stern', skip)
    const namespace = 'stern-prints'
    await makePods(namespace, [
      talker('web', { app: 'talk' }, { one: ['web 1', 'web 2'], two: ['side 1'] }, ['started']),
      talker('shop', { app: 'talk' }, { one: ['shop 1', 'shop 2'] }),
      talker('quiet', { app: 'other' }, { one: ['quiet 1'] }),
      ended('done', { app: 'talk' }, ['done 1']),
    ])
    const lines = async (...args: string[]): Promise<string[]> => {
      const { stdout, stderr } = await run(stern, [...place(namespace), '--no-follow', ...args])
      const marks = stderr.split('\n').filter((line) => /^[+-] /.test(line))
      // A mark for each container whose log was asked for, and one for each of which it ended.
      if (!args.includes('--only-log-lines')) expect(marks.length % 2).toBe(0)
      return stdout.trimEnd().split('\n').toSorted()
    }
    const all = [
      'done one done 1',
      'shop one shop 1',
      'shop one shop 2',
      'web first started',
      'web one web 1',
      'web one web 2',
      'web two side 1',
    ]
    expect(await lines('--selector=app=talk')).toEqual(all)
    expect(await lines('.')).toEqual([...all, 'quiet one quiet 1'].toSorted())
    expect(await lines('^(web|quiet)$', '--container=one')).toEqual([
      'quiet one quiet 1',
      'web one web 1',
      'web one web 2',
    ])
    expect(await lines('--selector=app=talk', '--exclude-pod=web', '--tail=1')).toEqual([
      'done one done 1',
      'shop one shop 2',
    ])
    expect(await lines('.', '--include=1$', '--exclude=quiet|side', '--init-containers=false')).toEqual([
      'done one done 1',
      'shop one shop 1',
      'web one web 1',
    ])
    expect(await lines('.', '--container-state=terminated')).toEqual(['done one done 1', 'web first started'])
    expect(await lines('pod/shop', '--only-log-lines', '--output=raw')).toEqual(['shop 1', 'shop 2'])
    const node = (await kubectl('get', 'nodes', '--output=jsonpath={.items[0].metadata.name}')).trim()
    expect(await lines('--field-selector=metadata.name=quiet', `--node=${node}`, '--output=json')).toEqual([
      JSON.stringify({
        message: 'quiet 1',
        nodeName: node,
        namespace,
        podName: 'quiet',
        containerName: 'one',
        labels: { app: 'other' },
        annotations: null,
      }),
    ])
    const [dated = ''] = await lines('quiet', '--timestamps', '--timezone=UTC')
    expect(dated).toMatch(/^quiet one \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z quiet 1$/)
  })

  test('follows what Pods write, Pods that come and Pods that go', async ({ skip }) => {
    const stern = await goTool('stern', skip)
    const namespace = 'stern-follows'
    await makePods(namespace, [talker('first', { app: 'talk' }, { one: ['first 1'] })])
    const child = spawn(stern, [...place(namespace), '--selector=app=talk'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = followOutput(child, 'stern')
    try {
      await output.printed(/^\+ first › one$/m)
      await output.printed(/^first one first 1$/m)
      await write(output, 'first/one', 'first', 'first 2')
      const came = output.next(/^second one second 1$/m)
      await makePods(namespace, [talker('second', { app: 'talk' }, { one: ['second 1'] })])
      await came
      await write(output, 'second/one', 'second', 'second 2')
      await write(output, 'first/one', 'first', 'first 3')
      const left = output.next(/^- second › one$/m)
      await kubectl('delete', 'pod', 'second', '--namespace', namespace, '--wait=false')
      await left
      await write(output, 'first/one', 'first', 'first 4')
    } finally {
      child.kill('SIGINT')
    }
    // It leaves the signal to the system.
    const lines = (await output.ends(null)).split('\n')
    expect(lines.filter((line) => line.startsWith('first one '))).toEqual(
      [1, 2, 3, 4].map((number) => `first one first ${number}`),
    )
  })

  test('follows the Pods of a workload from one revision to the next', async ({ skip }) => {
    const stern = await goTool('stern', skip)
    const namespace = 'stern-workload'
    const labels = { app: 'web' }
    const deployment = (line: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'one', image: 'talker', args: [line] }] },
        },
      },
    })
    await kubectl('create', 'namespace', namespace)
    await send('apply', deployment('old'))
    const child = spawn(
      stern,
      [...place(namespace), 'deployment/web', '--template={{.ContainerName}} {{.Message}}{{"\\n"}}'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const output = followOutput(child, 'stern')
    try {
      await output.printed(/^one old$/m)
      const next = output.next(/^one new$/m)
      const left = output.next(/^- web-\w+-\w+ › one$/m)
      await send('apply', deployment('new'))
      await Promise.all([next, left])
    } finally {
      child.kill('SIGINT')
    }
    expect(await output.ends(null)).not.toContain('error')
  })
})

/** Lets a container write a line, and waits until stern has printed it. */
async function write(
  output: ReturnType<typeof followOutput>,
  container: string,
  pod: string,
  line: string,
): Promise<void> {
  const printed = output.next(new RegExp(`^${pod} one ${line}$`, 'm'))
  running.get(container)?.stdout.write(`${line}\n`)
  await printed
}

function place(namespace: string): string[] {
  return ['--kubeconfig', kubeconfig, '--namespace', namespace, '--color=never']
}

async function kubectl(...args: string[]): Promise<string> {
  const program = join(findBinaries().directory, 'kubectl')
  return (await run(program, ['--kubeconfig', kubeconfig, ...args])).stdout
}

async function send(verb: 'apply' | 'create', ...objects: readonly object[]): Promise<void> {
  const file = join(folder, 'objects.yaml')
  writeFileSync(file, objects.map((object) => JSON.stringify(object)).join('\n---\n'))
  await kubectl(verb, '--filename', file)
}

interface Pod {
  readonly apiVersion: 'v1'
  readonly kind: 'Pod'
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly restartPolicy?: 'Never'
    readonly initContainers?: readonly PodContainer[]
    readonly containers: readonly PodContainer[]
  }
}

interface PodContainer {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
}

/** A Pod whose containers write their lines and then wait. */
function talker(
  name: string,
  labels: Readonly<Record<string, string>>,
  containers: Readonly<Record<string, readonly string[]>>,
  first: readonly string[] = [],
): Pod {
  const echo = first.map((line) => `echo ${line}`).join('; ')
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: {
      ...(first.length > 0 && {
        initContainers: [{ name: 'first', image: 'busybox', command: ['sh', '-c', echo] }],
      }),
      containers: Object.entries(containers).map(([container, args]) => ({
        name: container,
        image: 'talker',
        args,
      })),
    },
  }
}

/** A Pod that writes its lines and ends. */
function ended(name: string, labels: Readonly<Record<string, string>>, lines: readonly string[]): Pod {
  const command = ['sh', '-c', lines.map((line) => `echo ${line}`).join('; ')]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { restartPolicy: 'Never', containers: [{ name: 'one', image: 'busybox', command }] },
  }
}

/** Makes Pods in a namespace, and waits until all of them have written. */
async function makePods(namespace: string, pods: readonly Pod[]): Promise<void> {
  await kubectl('create', 'namespace', namespace).catch(() => '')
  await send('create', ...pods.map((pod) => ({ ...pod, metadata: { ...pod.metadata, namespace } })))
  for (const { metadata, spec } of pods) {
    const condition =
      spec.restartPolicy === 'Never' ? 'jsonpath={.status.phase}=Succeeded' : 'condition=Ready'
    await kubectl(
      'wait',
      `pod/${metadata.name}`,
      '--namespace',
      namespace,
      `--for=${condition}`,
      '--timeout=120s',
    )
    if (spec.restartPolicy === 'Never') continue
    for (const container of spec.containers) {
      await expect.poll(() => running.has(`${metadata.name}/${container.name}`)).toBe(true)
    }
  }
}
