import {
  deepFreeze,
  defineKind,
  schema as s,
  type AnyKind,
  type CreateOf,
  type KubernetesObject,
} from '@homeostat/api'
import { ConfigMap, type CoreV1, Deployment, Secret, Service } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import type { Client } from '../client/interface/client.ts'
import { createOrPatch, createOrUpdate } from './create-or-update.ts'
import { setControllerReference } from './owner-reference.ts'

const key = { namespace: 'default', name: 'x' }

/** A client over one object, which records the requests. */
function over(existing?: object) {
  const sent: { verb: string; object: any }[] = []
  const write = (verb: string) => (_: AnyKind, object: KubernetesObject) => {
    sent.push({ verb, object })
    return Promise.resolve(object)
  }
  const object = existing && deepFreeze(structuredClone(existing))
  const client = {
    get: () => Promise.resolve(object),
    create: write('create'),
    update: write('update'),
  } as unknown as Client
  return { client, sent }
}

const stored = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key, uid: 'u', resourceVersion: '7', labels: { 'deployed-by': 'a-tool' } },
  data: { 'README.md': '# Hello', 'old.md': 'old' },
}

/** A Deployment as a server returns it: with its defaults. */
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...key, uid: 'u', resourceVersion: '7' },
  spec: {
    replicas: 3,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' }, annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web:1',
            ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
            terminationMessagePath: '/dev/termination-log',
          },
        ],
        dnsPolicy: 'ClusterFirst',
      },
    },
  },
}

function desired(image: string): CreateOf<typeof Deployment>['spec'] {
  return {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'web', image, ports: [{ name: 'http', containerPort: 80 }] }] },
    },
  }
}

describe('where there is no object', () => {
  test('one is created with its name and what mutate sets', async () => {
    const { client, sent } = over()
    const { result, object } = await createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.data = { a: '1' }
    })
    expect(result).toBe('created')
    expect(sent).toEqual([
      { verb: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { a: '1' } } },
    ])
    expect(object).toMatchObject({ data: { a: '1' } })
  })
})

describe('where nothing that mutate sets differs', () => {
  test('nothing is sent, although the server filled in defaults and others added theirs', async () => {
    const { client, sent } = over(deployment)
    const { result, object } = await createOrUpdate(client, Deployment, key, (draft) => {
      draft.spec = desired('web:1')
      draft.metadata.labels = {}
    })
    expect([result, sent]).toEqual(['unchanged', []])
    expect(object).toEqual(deployment)
  })

  test('nothing is sent for empty lists and maps, which a server leaves out', async () => {
    const { client, sent } = over(stored)
    await createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.metadata.finalizers = []
      draft.binaryData = {}
    })
    expect(sent).toEqual([])
  })

  test('nothing is sent for a list with two items of the same name', async () => {
    const env = [
      { name: 'PATH', value: '/bin' },
      { name: 'PATH', value: '/usr/bin' },
    ]
    const existing = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { ...key, uid: 'u' },
      spec: { env },
    }
    const { client, sent } = over(existing)
    const { result } = await createOrUpdate(client, Deployment, key, (draft) => {
      Object.assign(draft, { spec: { env: structuredClone(env) } })
    })
    expect(result).toBe('unchanged')
    expect(sent).toEqual([])
  })

  test('nothing is sent when an owner is set again', async () => {
    const metadata = { namespace: 'default', name: 'web', uid: 'w' }
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', metadata }
    const owned = structuredClone(stored)
    setControllerReference(owner, owned)
    const { client, sent } = over(owned)
    await createOrUpdate(client, ConfigMap, key, (draft) => setControllerReference(owner, draft))
    expect(sent).toEqual([])
  })
})

describe('where something differs', () => {
  test('the object is updated in the version that was read, and what others set stays', async () => {
    const { client, sent } = over(deployment)
    const { result, changes } = await createOrUpdate(client, Deployment, key, (draft) => {
      draft.spec = desired('web:2')
    })
    expect([result, changes]).toEqual(['updated', ['spec.template.spec.containers.web.image']])
    const expected = structuredClone(deployment)
    expected.spec.template.spec.containers[0]!.image = 'web:2'
    expect(sent).toEqual([{ verb: 'update', object: expected }])
  })

  test('a map such as data is replaced: keys that were dropped from it are removed', async () => {
    const { client, sent } = over(stored)
    const { changes } = await createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.data = { 'README.md': '# Hello' }
    })
    expect(changes).toEqual(['data.old.md'])
    expect(sent[0]?.object.data).toEqual({ 'README.md': '# Hello' })
  })

  test('labels and annotations of others survive', async () => {
    const { client, sent } = over(stored)
    await createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.metadata.labels = { app: 'x' }
    })
    expect(sent[0]?.object.metadata.labels).toEqual({ 'deployed-by': 'a-tool', app: 'x' })
  })

  test('a field that mutate deletes is removed', async () => {
    const { client, sent } = over(stored)
    const { changes } = await createOrUpdate(client, ConfigMap, key, (draft) => {
      delete draft.data?.['old.md']
      draft.metadata.labels!['deployed-by'] = 'us'
    })
    expect(changes).toEqual(['metadata.labels.deployed-by', 'data.old.md'])
    expect(sent[0]?.object.data).toEqual({ 'README.md': '# Hello' })
  })

  test('a field set to undefined is removed', async () => {
    const { client, sent } = over(stored)
    await createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.data = undefined
    })
    expect(sent[0]?.object).not.toHaveProperty('data')
  })

  test('a field of an object that mutate deletes is removed, although a server had filled it in', async () => {
    const { client, sent } = over(deployment)
    const { changes } = await createOrUpdate(client, Deployment, key, (draft) => {
      delete draft.spec.strategy?.rollingUpdate
    })
    expect(changes).toEqual(['spec.strategy.rollingUpdate'])
    expect(sent[0]?.object.spec.strategy).toEqual({ type: 'RollingUpdate' })
  })

  test('another order of a list is a difference', async () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]
    const two = structuredClone(deployment) as any
    two.spec.template.spec.containers[0].env = env
    const { client, sent } = over(two)
    const { changes } = await createOrUpdate(client, Deployment, key, (draft) => {
      draft.spec.template.spec!.containers[0]!.env = env.toReversed()
    })
    expect(changes).toEqual(['spec.template.spec.containers.web.env'])
    expect(sent[0]?.object.spec.template.spec.containers[0].env).toEqual(env.toReversed())
  })

  test('a list is replaced, with its items matched by name', async () => {
    const { client, sent } = over(deployment)
    const { changes } = await createOrUpdate(client, Deployment, key, (draft) => {
      const spec = desired('web:1')
      spec.template.spec!.containers = [
        { name: 'proxy', image: 'proxy:1' },
        ...spec.template.spec!.containers,
      ]
      draft.spec = spec
    })
    expect(changes).toEqual(['spec.template.spec.containers'])
    const { containers } = sent[0]!.object.spec.template.spec
    expect(containers[0]).toEqual({ name: 'proxy', image: 'proxy:1' })
    expect(containers[1]).toMatchObject({ name: 'web', terminationMessagePath: '/dev/termination-log' })
  })

  test('a list that was changed in place is compared unchanged', async () => {
    const { client, sent } = over({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...key, uid: 'u', resourceVersion: '7' },
      spec: { clusterIP: '10.0.0.1', ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
    })
    await createOrUpdate(client, Service, key, (draft) => {
      draft.spec = { ports: [{ port: 80, targetPort: 'http' }] }
    })
    expect(sent[0]?.object.spec).toEqual({
      clusterIP: '10.0.0.1',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 'http' }],
    })
  })

  test('a map of a custom kind is known from its schema', async () => {
    const View = defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'View',
      spec: s.object({ files: s.map(s.string()), size: s.integer().default(1) }),
    })
    const { client, sent } = over({
      apiVersion: 'example.com/v1',
      kind: 'View',
      metadata: { ...key, uid: 'u', resourceVersion: '7' },
      spec: { files: { a: '1', b: '2' }, size: 1 },
    })
    await createOrUpdate(client, View, key, (draft) => {
      draft.spec = { files: { a: '1' } }
    })
    expect(sent[0]?.object.spec).toEqual({ files: { a: '1' }, size: 1 })
  })
})

describe('a Secret', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...key, uid: 'u', resourceVersion: '7' },
    type: 'Opaque',
    data: { password: btoa('hunter2') },
  }

  test('whose stringData equals its data is not updated', async () => {
    const { client, sent } = over(secret)
    await createOrUpdate(client, Secret, key, (draft) => {
      draft.stringData = { password: 'hunter2' }
    })
    expect(sent).toEqual([])
  })

  test('whose stringData differs is updated, also beyond ASCII', async () => {
    const { client, sent } = over(secret)
    await createOrUpdate(client, Secret, key, (draft) => {
      draft.stringData = { password: 'schlüssel' }
    })
    expect(sent[0]?.object.data).toEqual({ password: Buffer.from('schlüssel').toString('base64') })
  })
})

describe('mutate may not set', () => {
  test('another name or namespace', async () => {
    const { client } = over(stored)
    const rename = createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.metadata.name = 'y'
    })
    await expect(rename).rejects.toThrow(/changed the name or the namespace of ConfigMap default\/x/)
    const drop = createOrUpdate(client, ConfigMap, key, (draft) => {
      draft.metadata = { name: 'x' } as typeof draft.metadata
    })
    await expect(drop).rejects.toThrow(/Keep draft.metadata/)
  })

  test('a status, which an update does not write', async () => {
    const { client } = over(deployment)
    const change = createOrUpdate(client, Deployment, key, (draft) => {
      ;(draft as { status?: object }).status = { replicas: 1 }
    })
    await expect(change).rejects.toThrow(/use client.status/)
  })

  test('anything where it throws: its error is thrown, and nothing is sent', async () => {
    const { client, sent } = over(stored)
    const change = createOrUpdate(client, ConfigMap, key, () => {
      throw new Error('no')
    })
    await expect(change).rejects.toThrow('no')
    expect(sent).toEqual([])
  })
})

describe('createOrPatch', () => {
  function patching(existing?: object) {
    const { client, sent } = over(existing)
    const patch = (_: AnyKind, __: unknown, { body }: { body: object }) => {
      sent.push({ verb: 'patch', object: body })
      return Promise.resolve(existing)
    }
    return { client: { ...client, patch } as unknown as Client, sent }
  }

  test('sends only what differs', async () => {
    const { client, sent } = patching(stored)
    const { result, changes } = await createOrPatch(client, ConfigMap, key, (draft) => {
      draft.data = { 'README.md': '# Hello', 'new.md': 'new' }
    })
    expect([result, changes]).toEqual(['updated', ['data.old.md', 'data.new.md']])
    expect(sent).toEqual([{ verb: 'patch', object: { data: { 'old.md': null, 'new.md': 'new' } } }])
  })

  test('sends nothing when nothing differs, and creates a missing object', async () => {
    const same = patching(stored)
    const set = (draft: CreateOf<typeof ConfigMap>): void => void (draft.data = { ...stored.data })
    expect((await createOrPatch(same.client, ConfigMap, key, set)).result).toBe('unchanged')
    expect(same.sent).toEqual([])
    const none = patching()
    expect((await createOrPatch(none.client, ConfigMap, key, set)).result).toBe('created')
  })
})

describe('a default that a server filled in for a value that is no longer wanted', () => {
  const before = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...key, uid: 'u', resourceVersion: '7' },
    spec: { ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }], type: 'ClusterIP' },
  }
  const sentPorts = async (ports: CoreV1.ServicePort[], service = before) => {
    const { client, sent } = over(service)
    await createOrUpdate(client, Service, key, (draft) => {
      draft.spec = { ports }
    })
    return sent.map(({ object }) => (object as unknown as typeof before).spec.ports)
  }

  test('does not stay in an item of a list that becomes another', async () => {
    expect(await sentPorts([{ port: 81 }])).toEqual([[{ port: 81 }]])
    expect(await sentPorts([{ port: 80 }])).toEqual([])
    expect(await sentPorts([{ port: 80 }, { port: 81 }])).toEqual([
      [{ port: 80, targetPort: 80, protocol: 'TCP' }, { port: 81 }],
    ])
    expect(await sentPorts([{ port: 80, protocol: 'UDP' }])).toEqual([[{ port: 80, protocol: 'UDP' }]])
  })

  test('does not stay in a port that keeps its name and becomes another', async () => {
    const named = {
      ...before,
      spec: { ports: [{ name: 'http', ...before.spec.ports[0]! }], type: 'ClusterIP' },
    }
    expect(await sentPorts([{ name: 'http', port: 81 }], named)).toEqual([[{ name: 'http', port: 81 }]])
    expect(await sentPorts([{ name: 'http', port: 80 }], named)).toEqual([])
  })

  test('does not stay in a volume or a strategy of another form', async () => {
    const volumes = [{ name: 'v', configMap: { name: 'x', defaultMode: 420 } }]
    const spec = { ...deployment.spec.template.spec, volumes }
    const template = { ...deployment.spec.template, spec }
    const { client, sent } = over({ ...deployment, spec: { ...deployment.spec, template } })
    const bring = (volume: object, strategy: object) =>
      createOrUpdate(client, Deployment, key, (draft) => {
        draft.spec.template.spec!.volumes = [{ name: 'v', ...volume }]
        draft.spec.strategy = strategy
      })
    await bring({ configMap: { name: 'x' } }, { type: 'RollingUpdate' })
    expect(sent).toEqual([])
    await bring({ emptyDir: {} }, { type: 'Recreate' })
    expect(sent[0]!.object).toMatchObject({ spec: { strategy: { type: 'Recreate' } } })
    const { strategy, template: after } = (sent[0]!.object as unknown as typeof deployment).spec
    expect(strategy).toEqual({ type: 'Recreate' })
    expect((after.spec as unknown as { volumes: unknown }).volumes).toEqual([{ name: 'v', emptyDir: {} }])
  })
})
