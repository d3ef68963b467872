import type {
  AppsV1,
  ControllerRevision,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
} from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { planStatefulSet, type StatefulSetPlan } from './stateful-set-plan.ts'
import { statefulSetStatus } from './stateful-set-status.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function set(replicas: number, spec: Partial<AppsV1.StatefulSetSpec> = {}): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'default', uid: 'set', generation: 2 },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {},
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
    status: {},
  } as unknown as StatefulSet
}
function revision(name: string, image = name): ControllerRevision {
  const template = {
    $patch: 'replace',
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image }] },
  }
  return { metadata: { name }, data: { spec: { template } }, revision: 1 } as unknown as ControllerRevision
}
const old = revision('old')
const next = revision('next')

interface Shape {
  phase?: string
  readyFor?: number
  leaving?: boolean
  revision?: string
  volumes?: object[]
}
function pod(ordinal: number, shape: Shape = {}): Pod {
  const { phase = 'Running', readyFor = 100, leaving, revision = 'old', volumes } = shape
  const name = `web-${ordinal}`
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      labels: { 'statefulset.kubernetes.io/pod-name': name, 'controller-revision-hash': revision },
      ...(leaving ? { deletionTimestamp: '2026-01-01T11:59:00Z' } : {}),
    },
    spec: { volumes },
    status: {
      phase,
      conditions:
        readyFor < 0 || phase !== 'Running'
          ? []
          : [
              {
                type: 'Ready',
                status: 'True',
                lastTransitionTime: new Date(NOW - readyFor * 1_000).toISOString(),
              },
            ],
    },
  } as unknown as Pod
}
const unready = { readyFor: -1 }

function plan(
  of: StatefulSet,
  pods: Pod[],
  options: {
    current?: ControllerRevision
    update?: ControllerRevision
    claims?: PersistentVolumeClaim[]
  } = {},
): StatefulSetPlan {
  const { current = old, update = current, claims = [] } = options
  const byName = new Map(claims.map((claim) => [claim.metadata.name, claim]))
  return planStatefulSet({ set: of, current, update, pods, claims: byName, now: NOW })
}
/** The steps in a line each: `create web-0 (old)`. */
function shown({ phases }: StatefulSetPlan): string[] {
  return phases.flat().map((step) => {
    const { name, labels } = step.pod.metadata
    const by = step.type === 'create' ? ` (${labels?.['controller-revision-hash']})` : ''
    return `${step.type} ${name}${by}`
  })
}

describe('Pods in order', () => {
  it('come one at a time, each when those before it are available', () => {
    expect(shown(plan(set(3), []))).toEqual(['create web-0 (old)'])
    expect(shown(plan(set(3), [pod(0, { phase: 'Pending' })]))).toEqual([])
    expect(shown(plan(set(3), [pod(0, unready)]))).toEqual([])
    expect(shown(plan(set(3), [pod(0, { leaving: true })]))).toEqual([])
    expect(shown(plan(set(3), [pod(0)]))).toEqual(['create web-1 (old)'])
    expect(shown(plan(set(3, { minReadySeconds: 200 }), [pod(0)]))).toEqual([])
    expect(shown(plan(set(3, { minReadySeconds: 100 }), [pod(0)]))).toEqual(['create web-1 (old)'])
  })

  it('are made again where one has ended or is missing', () => {
    expect(shown(plan(set(2), [pod(0, { phase: 'Failed' }), pod(1)]))).toEqual(['delete web-0'])
    expect(shown(plan(set(2), [pod(0, { phase: 'Succeeded' }), pod(1)]))).toEqual(['delete web-0'])
    expect(shown(plan(set(2), [pod(0, { phase: 'Failed', leaving: true }), pod(1)]))).toEqual([])
    expect(shown(plan(set(2), [pod(1)]))).toEqual(['create web-0 (old)'])
  })

  it('are deleted from the last, one at a time, when all others are available', () => {
    expect(shown(plan(set(1), [pod(0), pod(1), pod(2)]))).toEqual(['delete web-2'])
    expect(shown(plan(set(1), [pod(0), pod(1), pod(2, { leaving: true })]))).toEqual([])
    expect(shown(plan(set(1), [pod(0, unready), pod(1), pod(2)]))).toEqual([])
    expect(shown(plan(set(1), [pod(0), pod(1, unready), pod(2)]))).toEqual(['delete web-2'])
    expect(shown(plan(set(1), [pod(0), pod(1), pod(2, unready)]))).toEqual(['delete web-2'])
    expect(shown(plan(set(1), [pod(0), pod(1, unready), pod(2, unready)]))).toEqual([])
  })

  it('start at the ordinal that is asked for', () => {
    const from5 = set(2, { ordinals: { start: 5 } })
    expect(shown(plan(from5, [pod(5)]))).toEqual(['create web-6 (old)'])
    expect(shown(plan(from5, [pod(0), pod(5), pod(6)]))).toEqual(['delete web-0'])
  })

  it('stay as they are while the set is being deleted', () => {
    const going = set(3)
    const deleted = { ...going, metadata: { ...going.metadata, deletionTimestamp: 'now' } } as StatefulSet
    expect(shown(plan(deleted, [pod(5)]))).toEqual([])
  })
})

describe('Pods in parallel', () => {
  const parallel = (replicas: number, spec = {}): StatefulSet =>
    set(replicas, { podManagementPolicy: 'Parallel', ...spec })

  it('come and go all at once', () => {
    expect(shown(plan(parallel(3), []))).toEqual([
      'create web-0 (old)',
      'create web-1 (old)',
      'create web-2 (old)',
    ])
    expect(shown(plan(parallel(1), [pod(0, unready), pod(1), pod(2, unready)]))).toEqual([
      'delete web-2',
      'delete web-1',
    ])
  })

  it('come five hundred at a time where very many are asked for', () => {
    expect(shown(plan(parallel(2_000_000_000), []))).toHaveLength(500)
    expect(shown(plan(set(2_000_000_000), [pod(0)]))).toEqual(['create web-1 (old)'])
  })

  it('are still replaced one at a time', () => {
    const pods = [pod(0), pod(1), pod(2)]
    expect(shown(plan(parallel(3), pods, { update: next }))).toEqual(['delete web-2'])
    expect(shown(plan(parallel(3), [pod(0), pod(1)], { update: next }))).toEqual(['create web-2 (next)'])
  })
})

describe('a new template', () => {
  it('replaces Pods from the last, each when the one after it is available again', () => {
    const update = { update: next }
    expect(shown(plan(set(3), [pod(0), pod(1), pod(2)], update))).toEqual(['delete web-2'])
    expect(shown(plan(set(3), [pod(0), pod(1)], update))).toEqual(['create web-2 (next)'])
    const renewed = { revision: 'next' }
    expect(shown(plan(set(3), [pod(0), pod(1), pod(2, { ...renewed, ...unready })], update))).toEqual([])
    expect(shown(plan(set(3), [pod(0), pod(1), pod(2, renewed)], update))).toEqual(['delete web-1'])
    expect(shown(plan(set(3), [pod(0, renewed), pod(1, renewed), pod(2, renewed)], update))).toEqual([])
  })

  it('leaves Pods below the partition at the old one, also those made again', () => {
    const parted = set(3, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } })
    const update = { update: next }
    expect(shown(plan(parted, [pod(0), pod(1), pod(2)], update))).toEqual(['delete web-2'])
    expect(shown(plan(parted, [pod(0), pod(1), pod(2, { revision: 'next' })], update))).toEqual([])
    expect(shown(plan(parted, [pod(0), pod(2, { revision: 'next' })], update))).toEqual([
      'create web-1 (old)',
    ])
    expect(shown(plan(parted, [pod(0), pod(1)], update))).toEqual(['create web-2 (next)'])
  })

  it('waits until Pods are deleted with the strategy OnDelete', () => {
    const onDelete = set(2, { updateStrategy: { type: 'OnDelete' } })
    expect(shown(plan(onDelete, [pod(0), pod(1)], { update: next }))).toEqual([])
    expect(shown(plan(onDelete, [pod(0)], { update: next }))).toEqual(['create web-1 (next)'])
  })

  it('waits until surplus Pods are gone', () => {
    expect(shown(plan(set(1), [pod(0), pod(1)], { update: next }))).toEqual(['delete web-1'])
  })
})

describe('a Pod of the set', () => {
  const templates = [{ metadata: { name: 'data' }, spec: {} }]
  const claim = (name: string, rest: object = {}): PersistentVolumeClaim =>
    ({ metadata: { name, uid: name, ...rest } }) as unknown as PersistentVolumeClaim
  const stateful = (replicas: number, policy?: object): StatefulSet =>
    set(replicas, {
      serviceName: 'peers',
      volumeClaimTemplates: templates,
      ...(policy ? { persistentVolumeClaimRetentionPolicy: policy } : {}),
    })
  const volumes = (ordinal: number): object[] => [
    { name: 'data', persistentVolumeClaim: { claimName: `data-web-${ordinal}` } },
  ]

  it('has a name, labels, a host name and claims of its own', () => {
    const [step] = plan(stateful(1), []).phases.flat()
    expect(step?.pod).toEqual({
      metadata: {
        namespace: 'default',
        name: 'web-0',
        generateName: 'web-',
        labels: {
          app: 'web',
          'statefulset.kubernetes.io/pod-name': 'web-0',
          'apps.kubernetes.io/pod-index': '0',
          'controller-revision-hash': 'old',
        },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            name: 'web',
            uid: 'set',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        containers: [{ name: 'c', image: 'old' }],
        hostname: 'web-0',
        subdomain: 'peers',
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }],
      },
    })
  })

  it('gets its claims back while it waits for them', () => {
    const waiting = pod(0, { phase: 'Pending', volumes: volumes(0) })
    expect(shown(plan(stateful(1), [waiting]))).toEqual(['claims web-0'])
    expect(shown(plan(stateful(1), [waiting], { claims: [claim('data-web-0')] }))).toEqual([])
  })

  it('is corrected where its label or volumes do not belong to its ordinal', () => {
    const claims = [claim('data-web-0')]
    expect(shown(plan(stateful(1), [pod(0)], { claims }))).toEqual(['repair web-0'])
    expect(shown(plan(stateful(1), [pod(0, { volumes: volumes(0) })], { claims }))).toEqual([])
  })

  it('gives its claims to the set or to itself, as the retention policy says', () => {
    const claims = [claim('data-web-0'), claim('data-web-1')]
    const pods = [pod(0, { volumes: volumes(0) }), pod(1, { volumes: volumes(1) })]
    const kept = { whenDeleted: 'Retain', whenScaled: 'Delete' }
    expect(shown(plan(stateful(1, kept), pods, { claims }))).toEqual(['own web-1', 'delete web-1'])
    const gone = { whenDeleted: 'Delete', whenScaled: 'Retain' }
    expect(shown(plan(stateful(2, gone), pods, { claims }))).toEqual(['repair web-0', 'repair web-1'])
  })

  it('waits until the claim of an earlier Pod of its name is gone', () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web-0', uid: 'former', controller: true }
    const claims = [claim('data-web-0', { ownerReferences: [owner] })]
    const policy = { whenDeleted: 'Retain', whenScaled: 'Delete' }
    expect(shown(plan(stateful(1, policy), [], { claims }))).toEqual([])
    expect(shown(plan(stateful(1), [], { claims }))).toEqual(['create web-0 (old)'])
  })
})

describe('the status of a StatefulSet', () => {
  const status = (of: StatefulSet, pods: Pod[], update = old, replaced = 0): object =>
    statefulSetStatus({ set: of, current: old, update, collisionCount: 0, pods, replaced, now: NOW })

  it('counts Pods that are there, ready, available, and of each revision', () => {
    const pods = [
      pod(0),
      pod(1, { revision: 'next', readyFor: 5 }),
      pod(2, { phase: 'Pending', revision: 'next' }),
      pod(3, { leaving: true }),
    ]
    expect(status(set(4, { minReadySeconds: 10 }), pods, next)).toEqual({
      observedGeneration: 2,
      replicas: 4,
      readyReplicas: 3,
      availableReplicas: 2,
      currentReplicas: 1,
      updatedReplicas: 2,
      currentRevision: 'old',
      updateRevision: 'next',
      collisionCount: 0,
    })
  })

  it('no longer counts a Pod that is being replaced, and leaves zeros out', () => {
    expect(status(set(1), [pod(0)], next, 1)).toEqual({
      observedGeneration: 2,
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      currentRevision: 'old',
      updateRevision: 'next',
      collisionCount: 0,
    })
  })

  it('makes the new revision the current one when all Pods have it and are ready', () => {
    const renewed = [pod(0, { revision: 'next' }), pod(1, { revision: 'next' })]
    expect(status(set(2), renewed, next)).toMatchObject({
      currentReplicas: 2,
      updatedReplicas: 2,
      currentRevision: 'next',
      updateRevision: 'next',
    })
    const onDelete = set(2, { updateStrategy: { type: 'OnDelete' } })
    expect(status(onDelete, renewed, next)).toMatchObject({ currentRevision: 'old' })
  })
})
