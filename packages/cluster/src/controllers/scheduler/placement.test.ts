import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { place } from './placement.ts'

const PLENTY = { cpu: '4', memory: '8Gi', pods: '110' }

function node(
  name: string,
  spec: Partial<CoreV1.NodeSpec> = {},
  { ready = 'True', allocatable = PLENTY }: { ready?: string; allocatable?: Record<string, string> } = {},
): Node {
  return {
    metadata: { name, labels: { disk: name, size: name === 'a' ? '3' : '30' } },
    spec,
    status: { conditions: [{ type: 'Ready', status: ready }], allocatable },
  } as unknown as Node
}
function pod(spec: Partial<CoreV1.PodSpec> = {}): Pod {
  return {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c' }], ...spec },
    status: {},
  } as unknown as Pod
}
const requesting = (requests: Record<string, string>): Partial<CoreV1.PodSpec> => ({
  containers: [{ name: 'c', resources: { requests } }],
})
const none = (): Pod[] => []
const affinity = (term: CoreV1.NodeSelectorTerm): Partial<CoreV1.PodSpec> => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  },
})

describe('choosing a node', () => {
  it('takes the one with the fewest Pods', () => {
    const podsOn = (name: string): Pod[] => (name === 'a' ? [pod(), pod()] : [pod()])
    expect(place(pod(), [node('a'), node('b')], podsOn)).toEqual({ node: 'b' })
  })

  it('follows the selector and the required affinity of the Pod', () => {
    const nodes = [node('a'), node('b')]
    expect(place(pod({ nodeSelector: { disk: 'b' } }), nodes, none)).toEqual({ node: 'b' })
    const on = (key: string, operator: CoreV1.NodeSelectorRequirement['operator'], ...values: string[]) =>
      place(pod(affinity({ matchExpressions: [{ key, operator, values }] })), nodes, none)
    expect(on('disk', 'In', 'b', 'c')).toEqual({ node: 'b' })
    expect(on('disk', 'NotIn', 'a')).toEqual({ node: 'b' })
    expect(on('disk', 'Exists')).toEqual({ node: 'a' })
    expect(on('size', 'Gt', '5')).toEqual({ node: 'b' })
    expect(on('size', 'Lt', '5')).toEqual({ node: 'a' })
    const named = affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] })
    expect(place(pod(named), nodes, none)).toEqual({ node: 'b' })
    expect(on('disk', 'DoesNotExist')).toEqual({
      reason:
        "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
    })
  })

  it('leaves out nodes that are not ready, closed or tainted', () => {
    const taints: CoreV1.Taint[] = [{ key: 'k', value: 'v', effect: 'NoSchedule' }]
    const nodes = [
      node('a', {}, { ready: 'False' }),
      node('b', { unschedulable: true }),
      node('c', { taints }),
    ]
    expect(place(pod(), nodes, none)).toEqual({
      reason:
        '0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    })
    const tolerations: CoreV1.Toleration[] = [
      { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' },
    ]
    expect(place(pod({ tolerations }), nodes, none)).toEqual({ node: 'c' })
    const closed: CoreV1.Toleration[] = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }]
    expect(place(pod({ tolerations: closed }), nodes, none)).toEqual({ node: 'b' })
    expect(place(pod({ tolerations: [{ key: 'k', value: 'other' }] }), nodes, none)).toHaveProperty('reason')
  })

  it('chooses a node with a PreferNoSchedule taint only where there is no other', () => {
    const taints: CoreV1.Taint[] = [{ key: 'k', effect: 'PreferNoSchedule' }]
    expect(place(pod(), [node('a', { taints }), node('b')], none)).toEqual({ node: 'b' })
    expect(place(pod(), [node('a', { taints })], none)).toEqual({ node: 'a' })
  })

  it('counts what the other Pods have requested', () => {
    const busy = (): Pod[] => [pod(requesting({ cpu: '3500m' }))]
    expect(place(pod(requesting({ cpu: '500m' })), [node('a')], busy)).toEqual({ node: 'a' })
    expect(place(pod(requesting({ cpu: '501m', memory: '9Gi' })), [node('a')], busy)).toEqual({
      reason:
        '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    })
    expect(place(pod(requesting({ cpu: '1' })), [node('a')], busy)).toEqual({
      reason:
        '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    })
    expect(place(pod(requesting({ 'example.com/gpu': '1' })), [node('a')], none)).toMatchObject({
      reason: expect.stringContaining('1 Insufficient example.com/gpu.') as string,
    })
    const one = [node('a', {}, { allocatable: { ...PLENTY, pods: '1' } })]
    expect(place(pod(), one, busy)).toMatchObject({
      reason: expect.stringContaining('1 Too many pods.') as string,
    })
  })

  it('counts init containers by the largest, and sidecars with the rest', () => {
    const init = (cpu: string, restartPolicy?: CoreV1.Container['restartPolicy']): CoreV1.Container => ({
      name: 'i',
      resources: { requests: { cpu } },
      restartPolicy,
    })
    const containers = [{ name: 'c', resources: { requests: { cpu: '2' } } }]
    const fits = (...initContainers: CoreV1.Container[]): boolean =>
      'node' in place(pod({ containers, initContainers }), [node('a')], none)
    expect(fits(init('4'), init('4'))).toBe(true)
    expect(fits(init('5'))).toBe(false)
    expect(fits(init('2', 'Always'))).toBe(true)
    expect(fits(init('2500m', 'Always'))).toBe(false)
    expect(fits(init('1', 'Always'), init('3500m'))).toBe(false)
  })

  it('gives a port of a node to one Pod alone', () => {
    const port = (hostPort: number, hostIP?: string): Partial<CoreV1.PodSpec> => ({
      containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, hostIP }] }],
    })
    const taken = (name: string): Pod[] => (name === 'a' ? [pod(port(8080, '127.0.0.1'))] : [])
    expect(place(pod(port(8080)), [node('a'), node('b')], taken)).toEqual({ node: 'b' })
    expect(place(pod(port(8080, '127.0.0.2')), [node('a')], taken)).toEqual({ node: 'a' })
    expect(place(pod(port(8080)), [node('a')], taken)).toMatchObject({
      reason: expect.stringContaining(
        "1 node(s) didn't have free ports for the requested pod ports.",
      ) as string,
    })
  })

  it('waits for volumes, and says that there is no node at all', () => {
    expect(
      place(pod(), [node('a')], none, { everywhere: 'pod has unbound immediate PersistentVolumeClaims' }),
    ).toEqual({
      reason: '0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
    })
    expect(place(pod(), [node('a')], none, { none: true })).toEqual({
      reason:
        "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    })
    expect(place(pod(), [], none)).toEqual({ reason: 'no nodes available to schedule pods' })
  })
})
