import type { CoreV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PodStage } from '../../../test/pod-stage.ts'

let stage: PodStage

beforeEach(async () => {
  stage = await PodStage.open()
})
afterEach(() => stage[Symbol.asyncDispose]())

const container = (mounts: CoreV1.VolumeMount[], rest: Partial<CoreV1.Container> = {}): CoreV1.Container => ({
  name: 'a',
  image: 'puppet',
  volumeMounts: mounts,
  ...rest,
})
const read = (path: string): string => Buffer.from(stage.puppet('a').container.files.read(path)).toString()

describe('the token of a Pod', () => {
  const HOUR = 3_600_000
  const volume: CoreV1.Volume = {
    name: 'kube-api-access-x',
    projected: {
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
      ],
    },
  }
  const spec: Partial<CoreV1.PodSpec> = {
    volumes: [volume],
    containers: [
      container([{ name: volume.name, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }]),
    ],
  }
  const at = '/var/run/secrets/kubernetes.io/serviceaccount'
  let issued: number

  beforeEach(() => {
    issued = 0
    stage.configMaps.set('kube-root-ca.crt', { data: { 'ca.crt': 'CA' } })
    stage.sources.token = () =>
      Promise.resolve({ token: `token-${++issued}`, expires: stage.clock.now() + HOUR })
  })

  it('stands where every client looks for it, with the CA and the namespace', async () => {
    await stage.run(spec)
    expect([read(`${at}/token`), read(`${at}/ca.crt`), read(`${at}/namespace`)]).toEqual([
      'token-1',
      'CA',
      'default',
    ])
    await stage.step()
    expect(issued).toBe(1)
  })

  it('is replaced before it expires, while the Pod runs', async () => {
    await stage.run(spec)
    await stage.clock.advance('47m')
    expect(read(`${at}/token`)).toBe('token-1')
    await stage.clock.advance('2m')
    expect(read(`${at}/token`)).toBe('token-2')
    await stage.clock.advance('49m')
    expect(read(`${at}/token`)).toBe('token-3')
  })

  it('stays while the server gives no other, and is asked for again', async () => {
    await stage.run(spec)
    const good = stage.sources.token
    stage.sources.token = () => Promise.reject(new Error('overloaded'))
    await stage.clock.advance('50m')
    expect(read(`${at}/token`)).toBe('token-1')
    stage.sources.token = good
    await stage.clock.advance('2m')
    expect(read(`${at}/token`)).toBe('token-2')
  })

  it('is waited for until the server issues one', async () => {
    stage.sources.token = () => Promise.reject(new Error('serviceaccounts "default" not found'))
    await stage.run(spec)
    expect(stage.messages('FailedMount')).toEqual([
      'MountVolume.SetUp failed for volume "kube-api-access-x" : failed to fetch token: serviceaccounts "default" not found',
    ])
    expect(stage.puppets).toEqual([])
  })

  it('reaches a process by a kubeconfig', async () => {
    const cluster = {
      connect: () => Promise.reject(new Error('not here')),
      moduleEnvironment: () => Promise.resolve({}),
      openHostsFile: () => ({ path: '', close: () => undefined }),
      loopbackAddress: () => undefined,
      processEnvironment: () =>
        Promise.resolve({ KUBERNETES_SERVICE_HOST: '127.9.128.1', KUBERNETES_SERVICE_PORT: '443' }),
    }
    const mounts = spec.containers?.[0]?.volumeMounts ?? []
    await stage.run(
      {
        ...spec,
        restartPolicy: 'Never',
        containers: [
          container(mounts, {
            image: 'host',
            args: ['-c', 'cat "$KUBECONFIG"; cat var/run/secrets/kubernetes.io/serviceaccount/token'],
          }),
        ],
      },
      { cluster },
    )
    const log = await stage.logOf('a')
    expect(log).toContain('"server": "https://127.9.128.1:443"')
    expect(log).toContain('"namespace": "default"')
    expect(log).toMatch(/"tokenFile": "[^"]+\/volumes\/kube-api-access-x\/token"/)
    expect(log.endsWith('token-1')).toBe(true)
  })
})

describe('volumes of fields', () => {
  it('follow the labels of the Pod', async () => {
    await stage.run({
      volumes: [
        {
          name: 'v',
          downwardAPI: {
            items: [
              { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
              {
                path: 'cpu',
                resourceFieldRef: { containerName: 'a', resource: 'limits.cpu', divisor: '1m' },
              },
            ],
          },
        },
      ],
      containers: [container([{ name: 'v', mountPath: '/info' }], { resources: { limits: { cpu: '1.5' } } })],
    })
    expect(read('/info/cpu')).toBe('1500')
    expect(read('/info/labels')).toBe('')
    stage.pod = { ...stage.pod, metadata: { ...stage.pod.metadata, labels: { b: 'x"y', a: '1' } } }
    await stage.step()
    expect(read('/info/labels')).toBe('a="1"\nb="x\\"y"')
  })

  it('give variables of resources, rounded up, and those of the node where there is no limit', async () => {
    const env = ['requests.memory:1Mi', 'limits.memory:1Gi', 'limits.cpu:', 'requests.cpu:1m'].map(
      (text, index) => {
        const [resource = '', divisor = ''] = text.split(':')
        const resourceFieldRef = { resource, ...(divisor ? { divisor } : {}) }
        return { name: `V${index}`, valueFrom: { resourceFieldRef } }
      },
    )
    const resources = { requests: { memory: '1500Ki', cpu: '250m' } }
    await stage.run(
      { containers: [container([], { env, resources })] },
      { allocatable: { cpu: '2', memory: '3000Mi' } },
    )
    expect(stage.puppet('a').container.env).toMatchObject({ V0: '2', V1: '3', V2: '2', V3: '250' })
  })
})

describe('mounts', () => {
  it('with objects of the API cannot be written to', async () => {
    stage.configMaps.set('c', { data: { k: 'v' } })
    await stage.run({
      volumes: [
        { name: 'c', configMap: { name: 'c', defaultMode: 0o440 } },
        { name: 'e', emptyDir: {} },
      ],
      containers: [
        container([
          { name: 'c', mountPath: '/c' },
          { name: 'e', mountPath: '/e' },
          { name: 'e', mountPath: '/read', readOnly: true },
        ]),
      ],
    })
    const { files } = stage.puppet('a').container
    expect(() => files.write('/c/k', 'x')).toThrow()
    expect(() => files.write('/read/k', 'x')).toThrow()
    files.write('/e/k', 'x')
    expect(read('/read/k')).toBe('x')
    expect(files.stat('/c/k')?.mode).toBe(0o440)
    expect(stage.status().volumeMounts).toEqual([
      { name: 'c', mountPath: '/c' },
      { name: 'e', mountPath: '/e' },
      { name: 'e', mountPath: '/read', readOnly: true, recursiveReadOnly: 'Disabled' },
    ])
  })

  it('may name their subPath by variables', async () => {
    const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }]
    const mount = { name: 'e', mountPath: '/e', subPathExpr: 'logs/$(NAME)' }
    await stage.run({ volumes: [{ name: 'e', emptyDir: {} }], containers: [container([mount], { env })] })
    expect(stage.puppet('a').container.mounts['/e']).toMatch(/\/volumes\/e\/logs\/web$/)
  })

  it.each([
    ['$(MISSING)', 'missing value for MISSING'],
    ['$(UP)/x', 'must be a relative path without ".."'],
  ])('refuse the subPathExpr %s', async (subPathExpr, message) => {
    const mount = { name: 'e', mountPath: '/e', subPathExpr }
    const env = [{ name: 'UP', value: '../..' }]
    await stage.run({ volumes: [{ name: 'e', emptyDir: {} }], containers: [container([mount], { env })] })
    expect(stage.status().state?.waiting).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining(message),
    })
  })

  it('of claims are the folders of their volumes, once the claims are bound', async () => {
    await stage.run({
      volumes: [{ name: 'p', persistentVolumeClaim: { claimName: 'data' } }],
      containers: [container([{ name: 'p', mountPath: '/data' }])],
    })
    expect(stage.messages('FailedMount')).toEqual([
      'MountVolume.SetUp failed for volume "p" : persistentvolumeclaim "data" not found',
    ])
    stage.sources.claim = () => Promise.resolve(stage.folder)
    await stage.clock.advance('10s')
    expect(stage.puppet('a').container.mounts['/data']).toBe(stage.folder)
  })

  it.each(['containers', 'initContainers'] as const)(
    'as block devices of %s keep the Pod waiting',
    async (list) => {
      stage.sources.claim = () => Promise.resolve(stage.folder)
      const volumeDevices = [{ name: 'p', devicePath: '/dev/p' }]
      await stage.run({
        volumes: [{ name: 'p', persistentVolumeClaim: { claimName: 'data' } }],
        containers: [container([])],
        [list]: [container([], { name: 'b', volumeDevices })],
      })
      expect(stage.puppets).toEqual([])
      expect(stage.messages('FailedMount')).toEqual([
        'MountVolume.SetUp failed for volume "p" : block devices are not supported by this node: use a claim with the volumeMode Filesystem, and volumeMounts in place of volumeDevices',
      ])
    },
  )

  it('of the machine need the cluster to allow them', async () => {
    const spec: Partial<CoreV1.PodSpec> = {
      volumes: [{ name: 'h', hostPath: { path: stage.folder, type: 'Directory' } }],
      containers: [container([{ name: 'h', mountPath: '/host' }])],
    }
    await stage.run(spec)
    expect(stage.messages('FailedMount')[0]).toContain('start the cluster with hostPaths: true')
    await stage.runner.close()
    await stage.run(spec, { hostPaths: true })
    expect(stage.puppet('a').container.mounts['/host']).toBe(stage.folder)
  })

  it('of a deleted Secret keep their files, and the Pod goes on', async () => {
    stage.secrets.set('s', { data: { k: Buffer.from('v').toString('base64') } })
    await stage.run({
      volumes: [{ name: 's', secret: { secretName: 's' } }],
      containers: [container([{ name: 's', mountPath: '/s' }])],
    })
    stage.secrets.clear()
    stage.puppet('a').exit(1)
    await stage.clock.settle()
    expect(stage.messages('FailedMount')).toEqual([
      'MountVolume.SetUp failed for volume "s" : secret "s" not found',
    ])
    expect(stage.status()).toMatchObject({ restartCount: 1, state: { running: {} } })
    expect(read('/s/k')).toBe('v')
  })
})
