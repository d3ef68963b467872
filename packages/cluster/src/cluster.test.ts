import { connect } from 'node:net'
import { SimulatedClock, type CreateOf } from '@homeostat/api'
import {
  ConfigMap,
  Deployment,
  EndpointSlice,
  Event,
  Node,
  Pod,
  ReplicaSet,
  Service,
  type CoreV1,
} from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Cluster } from './cluster.ts'

const namespace = 'default'
const labels = { app: 'web' }
const web = { namespace, name: 'web' }

function deployment(
  template: Partial<CoreV1.PodSpec>,
  spec: Partial<CreateOf<typeof Deployment>['spec']> = {},
): CreateOf<typeof Deployment> {
  return {
    metadata: { ...web, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [], ...template } },
      ...spec,
    },
  }
}
const pausing: Partial<CoreV1.PodSpec> = {
  containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }],
}
const book: Partial<CoreV1.PodSpec> = {
  containers: [
    {
      name: 'mdbook',
      image: 'peaceiris/mdbook:latest',
      command: ['mdbook'],
      args: ['serve', '--hostname', '0.0.0.0'],
      ports: [{ name: 'http', containerPort: 3000 }],
      readinessProbe: { httpGet: { path: '/', port: 'http' } },
      livenessProbe: { httpGet: { path: '/', port: 'http' } },
      volumeMounts: [{ name: 'book', mountPath: '/book/src' }],
    },
  ],
  volumes: [{ name: 'book', configMap: { name: 'book' } }],
}
const service: CreateOf<typeof Service> = {
  metadata: web,
  spec: { selector: labels, ports: [{ port: 80, targetPort: 'http' }] },
}
const configMap = (text: string): CreateOf<typeof ConfigMap> => ({
  metadata: { namespace, name: 'book' },
  data: { 'README.md': text },
})

let clock: SimulatedClock
let cluster: Cluster

beforeEach(async () => {
  clock = new SimulatedClock()
  cluster = await Cluster.start({ clock, port: false })
  await clock.settle()
})
afterEach(() => cluster.close())

async function pods(): Promise<readonly Pod[]> {
  return cluster.client.list(Pod, { namespace })
}
async function page(): Promise<string> {
  const { host, port } = await cluster.serviceAddress(web, 80)
  return (await fetch(`http://${host}:${port}/`)).text()
}
async function edit(change: (spec: CreateOf<typeof Deployment>['spec']) => object): Promise<void> {
  const current = await cluster.client.getOrThrow(Deployment, web)
  await cluster.client.update(Deployment, {
    ...current,
    spec: { ...current.spec, ...change(current.spec) },
  })
  await clock.settle()
}
async function getText(path: string, query = ''): Promise<[number, string]> {
  const { status, body } = await cluster.handler({
    method: 'GET',
    path: `/api/v1/namespaces/${namespace}${path}`,
    query: new URLSearchParams(query),
    headers: {},
  })
  let text = ''
  for await (const chunk of body instanceof Uint8Array ? [body] : body)
    text += new TextDecoder().decode(chunk)
  return [status, text]
}
async function logOf(pod: string, options: object = {}): Promise<string> {
  let text = ''
  for await (const chunk of cluster.logs({ namespace, pod, ...options }))
    text += new TextDecoder().decode(chunk)
  return text
}

describe('a Deployment of a web server', () => {
  beforeEach(async () => {
    await cluster.client.create(ConfigMap, configMap('# Hello'))
    await cluster.client.create(Deployment, deployment(book))
    await cluster.client.create(Service, service)
    await clock.settle()
  })

  it('is available at once, and its page is at the address of the Service', async () => {
    const { status, metadata } = await cluster.client.getOrThrow(Deployment, web)
    expect(status).toMatchObject({ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 })
    expect(metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '1' })
    expect(await page()).toContain('<h1 id="hello">Hello</h1>')
  })

  it('shows an edit of its ConfigMap', async () => {
    await page()
    const current = await cluster.client.getOrThrow(ConfigMap, { namespace, name: 'book' })
    await cluster.client.update(ConfigMap, { ...current, data: { 'README.md': '# Changed' } })
    await clock.settle()
    expect(await page()).toContain('<h1 id="changed">Changed</h1>')
  })

  it('has as many Pods as it is scaled to, and its Service knows them', async () => {
    await edit(() => ({ replicas: 3 }))
    expect((await pods()).map(({ status }) => status.phase)).toEqual(['Running', 'Running', 'Running'])
    const labels = { 'kubernetes.io/service-name': 'web' }
    const [slice] = await cluster.client.list(EndpointSlice, { namespace, labels })
    expect(slice?.endpoints?.filter(({ conditions }) => conditions?.ready)).toHaveLength(3)
    await edit(() => ({ replicas: 0 }))
    expect(await pods()).toEqual([])
    await expect(page()).rejects.toThrow('fetch failed')
  })

  it('makes a Pod again that was deleted', async () => {
    const [before] = await pods()
    await cluster.client.delete(Pod, { namespace, name: before?.metadata.name ?? '' })
    await clock.settle()
    const after = await pods()
    expect(after).toHaveLength(1)
    expect(after[0]?.metadata.uid).not.toBe(before?.metadata.uid)
    expect(await page()).toContain('Hello')
  })

  it('is deleted with everything that belongs to it', async () => {
    const [pod] = await pods()
    const { host } = await cluster.serviceAddress(web, 80)
    await cluster.client.delete(Deployment, web)
    await clock.settle()
    expect(await pods()).toEqual([])
    expect(await cluster.client.list(ReplicaSet, { namespace })).toEqual([])
    expect(pod?.status.podIP).toBe('10.244.0.2')
    await expect(connecting(host.replace(/\d+\.\d+$/, '0.2'), 3000)).rejects.toThrow('ECONNREFUSED')
  })

  it('is reached by a forwarded port', async () => {
    const forward = await cluster.forward({ service: web, port: 80 })
    expect(await (await fetch(forward.url.replace('localhost', '127.0.0.1'))).text()).toContain('Hello')
    await expect(cluster.forward({ service: web, localPort: forward.port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
    })
  })
})

describe('a rollout', () => {
  const image = (name: string) => () => ({
    template: { metadata: { labels }, spec: { containers: [{ name: 'pause', image: name }] } },
  })
  async function sizes(): Promise<Record<string, number>> {
    const sets = await cluster.client.list(ReplicaSet, { namespace })
    return Object.fromEntries(
      sets.map((set) => [
        set.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? '',
        set.spec.replicas ?? 0,
      ]),
    )
  }

  it('moves all Pods to the new template', async () => {
    await cluster.client.create(Deployment, deployment(pausing, { replicas: 4 }))
    await clock.settle()
    await edit(image('pause:2'))
    expect(await sizes()).toEqual({ 1: 0, 2: 4 })
    expect((await pods()).map(({ spec }) => spec.containers[0]?.image)).toEqual(Array(4).fill('pause:2'))
    const { status, metadata } = await cluster.client.getOrThrow(Deployment, web)
    expect(status).toMatchObject({
      observedGeneration: metadata.generation,
      updatedReplicas: 4,
      availableReplicas: 4,
    })
    expect(status.conditions?.map(({ type, reason }) => [type, reason])).toEqual(
      expect.arrayContaining([
        ['Available', 'MinimumReplicasAvailable'],
        ['Progressing', 'NewReplicaSetAvailable'],
      ]),
    )
  })

  it('uses the old ReplicaSet again when it is rolled back', async () => {
    await cluster.client.create(Deployment, deployment(pausing, { replicas: 2 }))
    await clock.settle()
    await edit(image('pause:2'))
    await edit(image('registry.k8s.io/pause:3.10'))
    expect(await sizes()).toEqual({ 2: 0, 3: 2 })
  })

  it('keeps the old Pods when the new ones do not become ready, and reports it after the deadline', async () => {
    await cluster.client.create(Deployment, deployment(pausing, { replicas: 2, progressDeadlineSeconds: 60 }))
    await clock.settle()
    await edit(image('nothing/is-mapped-to-this'))
    expect(await sizes()).toEqual({ 1: 2, 2: 1 })
    await clock.advance('61s')
    const { status } = await cluster.client.getOrThrow(Deployment, web)
    expect(status).toMatchObject({ availableReplicas: 2, unavailableReplicas: 1 })
    expect(status.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    })
  })

  it('ends all old Pods before the first new one with the strategy Recreate', async () => {
    await cluster.client.create(
      Deployment,
      deployment(pausing, { replicas: 2, strategy: { type: 'Recreate' } }),
    )
    await clock.settle()
    await edit(image('pause:2'))
    expect(await sizes()).toEqual({ 1: 0, 2: 2 })
    expect((await pods()).map(({ status }) => status.phase)).toEqual(['Running', 'Running'])
  })

  it('keeps as many old ReplicaSets as its history limit says', async () => {
    await cluster.client.create(Deployment, deployment(pausing, { revisionHistoryLimit: 1 }))
    await clock.settle()
    for (const tag of [2, 3, 4]) await edit(image(`pause:${tag}`))
    expect(await sizes()).toEqual({ 3: 0, 4: 1 })
  })

  it('does nothing while it is paused', async () => {
    await cluster.client.create(Deployment, deployment(pausing, { replicas: 1 }))
    await clock.settle()
    await edit(() => ({ paused: true }))
    await edit(image('pause:2'))
    expect(await sizes()).toEqual({ 1: 1 })
    await edit(() => ({ replicas: 3 }))
    expect(await sizes()).toEqual({ 1: 3 })
    await edit(() => ({ paused: false }))
    expect(await sizes()).toEqual({ 1: 0, 2: 3 })
  })
})

describe('a Pod', () => {
  const pod = (spec: Partial<CoreV1.PodSpec>): CreateOf<typeof Pod> => ({
    metadata: { namespace, name: 'job', labels: { app: 'job' } },
    spec: { restartPolicy: 'Never', containers: [], ...spec },
  })

  it('runs a shell to its end and keeps its log', async () => {
    await cluster.client.create(
      Pod,
      pod({ containers: [{ name: 'sh', image: 'busybox', command: ['sh', '-c', 'echo hi'] }] }),
    )
    await clock.settle()
    const { status } = await cluster.client.getOrThrow(Pod, { namespace, name: 'job' })
    expect(status).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ name: 'sh', state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    })
    expect(await logOf('job')).toBe('hi\n')
  })

  it('has its log in the API', async () => {
    const script = 'echo one; echo two >&2; exit 3'
    await cluster.client.create(
      Pod,
      pod({ containers: [{ name: 'sh', image: 'busybox', args: ['-c', script] }] }),
    )
    await clock.settle()
    expect(await getText('/pods/job/log')).toEqual([200, 'one\ntwo\n'])
    expect(await getText('/pods/job/log', 'tailLines=1&timestamps=true')).toEqual([
      200,
      '2026-01-01T12:00:00.000000000Z two\n',
    ])
    expect(await getText('/pods/job/log', 'follow=true')).toEqual([200, 'one\ntwo\n'])
    expect(await getText('/pods/job/log', 'previous=true')).toEqual([
      400,
      expect.stringContaining('previous terminated container \\"sh\\" in pod \\"job\\" not found'),
    ])
  })

  it('reports the remedy for an image that is not mapped', async () => {
    await cluster.client.create(Pod, pod({ containers: [{ name: 'web', image: 'postgres:17' }] }))
    await clock.settle()
    const { status } = await cluster.client.getOrThrow(Pod, { namespace, name: 'job' })
    expect(status.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ErrImagePull')
    await clock.advance('1s')
    const events = await cluster.client.list(Event, { namespace })
    const notes = events.filter(({ regarding }) => regarding?.name === 'job').map(({ note }) => note)
    expect(notes).toHaveLength(6)
    expect(notes).toContain(
      'Failed to pull image "postgres:17": nothing is mapped to it: start the cluster with --image="postgres=COMMAND", or with images: { "postgres": … } in code',
    )
    expect(await getText('/pods/job/log')).toEqual([
      400,
      expect.stringContaining('is waiting to start: ImagePullBackOff'),
    ])
  })

  it('waits for a node that suits it', async () => {
    await cluster.client.create(Pod, pod({ ...pausing, nodeSelector: { disk: 'ssd' } }))
    await clock.settle()
    const before = await cluster.client.getOrThrow(Pod, { namespace, name: 'job' })
    expect(before.status.conditions).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: expect.stringContaining('0/1 nodes'),
      },
    ])
    const body = { metadata: { labels: { disk: 'ssd' } } }
    await cluster.client.patch(Node, { name: 'homeostat' }, { type: 'merge', body })
    await clock.settle()
    const after = await cluster.client.getOrThrow(Pod, { namespace, name: 'job' })
    expect(after.status.phase).toBe('Running')
  })

  it('is bound to the node, which is ready', async () => {
    await cluster.client.create(Pod, pod(pausing))
    await clock.settle()
    const { spec } = await cluster.client.getOrThrow(Pod, { namespace, name: 'job' })
    const node = await cluster.client.getOrThrow(Node, { name: spec.nodeName ?? '' })
    expect(node.status.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True')
  })

  it('ends within its grace period, and is removed then', async () => {
    await cluster.close()
    clock = new SimulatedClock()
    cluster = await Cluster.start({
      clock,
      port: false,
      images: { deaf: { module: () => new Promise(() => undefined) } },
    })
    await cluster.client.create(
      Pod,
      pod({ terminationGracePeriodSeconds: 30, containers: [{ name: 'deaf', image: 'deaf' }] }),
    )
    await clock.settle()
    await cluster.client.delete(Pod, { namespace, name: 'job' })
    await clock.advance('29s')
    expect(await pods()).toHaveLength(1)
    await clock.advance('1s')
    expect(await pods()).toEqual([])
  })
})

describe('a cluster', () => {
  it('writes nothing once everything is as it should be', async () => {
    await cluster.close()
    const writes: string[] = []
    cluster = await Cluster.start({
      clock,
      port: false,
      onWrite: ({ verb, resource, subresource, name }) =>
        writes.push([verb, resource, subresource, name].join(' ')),
    })
    await cluster.client.create(ConfigMap, configMap('# Hello'))
    await cluster.client.create(Deployment, deployment(book))
    await cluster.client.create(Service, service)
    await clock.advance('1m')
    const [pod] = await pods()
    const touch = { type: 'merge', body: { metadata: { annotations: { touched: 'yes' } } } } as const
    writes.length = 0
    await cluster.client.patch(Pod, { namespace, name: pod?.metadata.name ?? '' }, touch)
    await cluster.client.patch(Service, web, touch)
    await cluster.client.patch(ConfigMap, { namespace, name: 'book' }, touch)
    await clock.advance('1m')
    expect(writes).toEqual([
      `patch pods  ${pod?.metadata.name}`,
      'patch services  web',
      'patch configmaps  book',
    ])
  })

  it('runs twice in exactly the same way', async () => {
    async function run(): Promise<unknown> {
      const clock = new SimulatedClock({ seed: 7 })
      await using cluster = await Cluster.start({ clock, port: false })
      await cluster.client.create(Deployment, deployment(pausing, { replicas: 3 }))
      await clock.advance('10s')
      const pods = await cluster.client.list(Pod)
      return pods.map(({ metadata, status }) => [
        metadata.name,
        metadata.uid,
        metadata.resourceVersion,
        status,
      ])
    }
    const first = await run()
    expect(await run()).toEqual(first)
    // However late the answers of threads come.
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    let digests = 0
    const spy = vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (algorithm, data) => {
      const hash = await digest(algorithm, data)
      for (let turns = (++digests * 7) % 30; turns > 0; turns--) await new Promise(setImmediate)
      return hash
    })
    try {
      for (let times = 0; times < 3; times++) expect(await run()).toEqual(first)
    } finally {
      spy.mockRestore()
    }
    expect(digests).toBeGreaterThan(10)
  })
})

function connecting(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })
}
