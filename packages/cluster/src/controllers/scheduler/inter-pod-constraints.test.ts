import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { place } from './placement.ts'

const ZONE = 'topology.kubernetes.io/zone'
const HOST = 'kubernetes.io/hostname'

/** A node of a zone, or of none. */
function node(name: string, zone?: string, spec: Partial<CoreV1.NodeSpec> = {}): Node {
  return {
    metadata: { name, labels: { [HOST]: name, ...(zone && { [ZONE]: zone }) } },
    spec,
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    },
  } as unknown as Node
}
function pod(app: string, spec: Partial<CoreV1.PodSpec> = {}, metadata: object = {}): Pod {
  return {
    metadata: { name: app, namespace: 'default', labels: { app }, ...metadata },
    spec: { containers: [{ name: 'c' }], ...spec },
    status: {},
  } as unknown as Pod
}
const term = (app: string, topologyKey: string, more: object = {}): CoreV1.PodAffinityTerm => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
  ...more,
})
const near = (...terms: CoreV1.PodAffinityTerm[]): Partial<CoreV1.PodSpec> => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
})
const away = (...terms: CoreV1.PodAffinityTerm[]): Partial<CoreV1.PodSpec> => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
})
const on = (pods: Record<string, Pod[]>) => (name: string) => pods[name] ?? []
const zones = [node('a1', 'a'), node('a2', 'a'), node('b1', 'b')]
const reason = (why: string, preemption: string, count: number): object => ({
  reason: `0/${count} nodes are available: ${why}. no new claims to deallocate, preemption: 0/${count} nodes are available: ${preemption}.`,
})
const NOT_HELPFUL = 'Preemption is not helpful for scheduling'
const NO_VICTIMS = 'No preemption victims found for incoming pod'

describe('required anti-affinity', () => {
  it('keeps Pods on different nodes, and says where no node is left', () => {
    const web = pod('web', away(term('web', HOST)))
    expect(place(web, zones, on({ a1: [web], a2: [web] }))).toEqual({ node: 'b1' })
    expect(place(web, zones, on({ a1: [web], a2: [web], b1: [web] }))).toEqual(
      reason("3 node(s) didn't match pod anti-affinity rules", `3 ${NO_VICTIMS}`, 3),
    )
  })

  it('applies to the domain of the nodes', () => {
    const web = pod('web', away(term('web', ZONE)))
    expect(place(web, zones, on({ a1: [web] }))).toEqual({ node: 'b1' })
    // A node without the label is in no domain.
    expect(place(web, [...zones, node('n')], on({ a1: [web], b1: [web] }))).toEqual({ node: 'n' })
  })

  it('of a Pod that is there keeps others away', () => {
    const exclusive = pod('exclusive', away(term('web', HOST)))
    expect(place(pod('web'), [node('a1')], on({ a1: [exclusive] }))).toEqual(
      reason("1 node(s) didn't satisfy existing pods anti-affinity rules", `1 ${NO_VICTIMS}`, 1),
    )
    expect(place(pod('db'), [node('a1')], on({ a1: [exclusive] }))).toEqual({ node: 'a1' })
  })

  it('is about the Pods of its own namespace unless it says otherwise', () => {
    const other = pod('web', {}, { namespace: 'other' })
    const at = (more: object) =>
      place(
        pod('web', away(term('web', HOST, more))),
        [node('a1')],
        on({ a1: [other] }),
        {},
        undefined,
        (namespace) => ({ team: namespace === 'other' ? 'red' : 'blue' }),
      )
    expect(at({})).toEqual({ node: 'a1' })
    expect(at({ namespaces: ['other'] })).toHaveProperty('reason')
    expect(at({ namespaceSelector: {} })).toHaveProperty('reason')
    expect(at({ namespaceSelector: { matchLabels: { team: 'red' } } })).toHaveProperty('reason')
    expect(at({ namespaceSelector: { matchLabels: { team: 'blue' } } })).toEqual({ node: 'a1' })
  })

  it('compares labels that it names by their keys', () => {
    const of = (revision: string) => ({ labels: { app: 'web', revision } })
    const there = pod('web', {}, of('1'))
    const at = (revision: string, more: object) =>
      place(pod('web', away(term('web', HOST, more)), of(revision)), [node('a1')], on({ a1: [there] }))
    expect(at('2', { matchLabelKeys: ['revision'] })).toEqual({ node: 'a1' })
    expect(at('1', { matchLabelKeys: ['revision'] })).toHaveProperty('reason')
    expect(at('1', { mismatchLabelKeys: ['revision'] })).toEqual({ node: 'a1' })
  })
})

describe('required affinity', () => {
  it('chooses the domain of the Pods that it selects', () => {
    const web = pod('web', near(term('db', ZONE)))
    expect(place(web, zones, on({ b1: [pod('db')] }))).toEqual({ node: 'b1' })
    expect(place(web, zones, on({}))).toEqual(
      reason("3 node(s) didn't match pod affinity rules", `3 ${NOT_HELPFUL}`, 3),
    )
  })

  it('lets the first Pod of a group choose', () => {
    const web = pod('web', near(term('web', ZONE)))
    expect(place(web, [node('n'), node('b1', 'b')], on({}))).toEqual({ node: 'b1' })
    expect(place(web, zones, on({ a2: [web], a1: [web, web] }))).toEqual({ node: 'a2' })
  })
})

describe('topology spread constraints', () => {
  const spread = (more: Partial<CoreV1.TopologySpreadConstraint> = {}): Partial<CoreV1.PodSpec> => ({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
        ...more,
      },
    ],
  })
  const web = pod('web', spread())

  it('keep the numbers of Pods near each other', () => {
    expect(place(web, zones, on({ a1: [web] }))).toEqual({ node: 'b1' })
    expect(place(web, zones, on({ a1: [web], b1: [web, web] }))).toEqual({ node: 'a2' })
    expect(
      place(pod('web', spread({ maxSkew: 2 })), zones, on({ a2: [web], b1: [pod('x'), pod('x')] })),
    ).toEqual({
      node: 'a1',
    })
  })

  it('say where no node is left', () => {
    const tainted = node('b1', 'b', { taints: [{ key: 'k', effect: 'NoSchedule' }] })
    const nodes = [node('a1', 'a'), tainted, node('n')]
    expect(place(web, nodes, on({ a1: [web] }))).toEqual(
      reason(
        "1 node(s) didn't match pod topology spread constraints, 1 node(s) didn't match pod topology spread constraints (missing required label), 1 node(s) had untolerated taint(s)",
        `1 ${NO_VICTIMS}, 2 ${NOT_HELPFUL}`,
        3,
      ),
    )
    // The tainted node does not count where taints are honoured.
    expect(place(pod('web', spread({ nodeTaintsPolicy: 'Honor' })), nodes, on({ a1: [web] }))).toEqual({
      node: 'a1',
    })
  })

  it('count no Pods that are ending, and as many domains as are asked for', () => {
    const ending = pod('web', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    expect(place(web, [node('a1', 'a'), node('b1', 'b')], on({ a1: [ending], b1: [web] }))).toEqual({
      node: 'a1',
    })
    const three = pod('web', spread({ minDomains: 3 }))
    expect(place(three, zones, on({ a1: [web], b1: [web] }))).toHaveProperty('reason')
  })

  it('only prefer a node where they can be ignored', () => {
    const anyway = pod('web', spread({ whenUnsatisfiable: 'ScheduleAnyway' }))
    const existing = { a1: [web], b1: [pod('x'), pod('x'), pod('x')] }
    expect(place(anyway, [node('a1', 'a'), node('b1', 'b')], on(existing))).toEqual({ node: 'b1' })
    expect(place(anyway, [node('a1', 'a')], on({ a1: [web, web] }))).toEqual({ node: 'a1' })
  })
})

describe('preferred affinity', () => {
  it('prefers nodes with or without certain Pods', () => {
    const weighted = (weight: number) => [{ weight, podAffinityTerm: term('db', HOST) }]
    const pods = on({ a1: [pod('db'), pod('x')] })
    const nodes = [node('a1', 'a'), node('b1', 'b')]
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: weighted(10) }
    expect(place(pod('web', { affinity: { podAffinity: preferred } }), nodes, pods)).toEqual({ node: 'a1' })
    const alone = place(
      pod('web', { affinity: { podAntiAffinity: preferred } }),
      nodes,
      on({ a1: [pod('db')], b1: [pod('x'), pod('x')] }),
    )
    expect(alone).toEqual({ node: 'b1' })
  })
})

describe('the message about preemption', () => {
  const full = (priority: number): Pod =>
    pod('full', { priority, containers: [{ name: 'c', resources: { requests: { cpu: '4' } } }] })
  const wanting = (priority: number, more: object = {}): Pod =>
    pod('web', { priority, containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }], ...more })

  it('says whether Kubernetes would preempt other Pods', () => {
    const at = (incoming: Pod, there: Pod) => place(incoming, [node('a1')], on({ a1: [there] }))
    expect(at(wanting(0), full(0))).toEqual(reason('1 Insufficient cpu', `1 ${NO_VICTIMS}`, 1))
    expect(at(wanting(1), full(0))).toEqual(
      reason('1 Insufficient cpu', '1 Preemption is not supported by this cluster', 1),
    )
    expect(at(wanting(1, { preemptionPolicy: 'Never' }), full(0))).toEqual({
      reason:
        '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
    })
  })
})

describe('what the scheduler does not support', () => {
  it('leaves a Pod that claims devices without a node', () => {
    const claims = pod('web', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] })
    expect(place(claims, [node('a1')], on({}))).toEqual({
      reason:
        '0/1 nodes are available: this cluster does not allocate devices, which the Pod claims by spec.resourceClaims: remove the claims.',
    })
  })

  it('does not put a Pod where its volume cannot be used', () => {
    const usableOn = ({ metadata }: Node): boolean => metadata.name === 'b1'
    expect(place(pod('web'), zones, on({}), { usableOn })).toEqual({ node: 'b1' })
    expect(place(pod('web'), [node('a1')], on({}), { usableOn })).toEqual(
      reason("1 node(s) didn't match PersistentVolume's node affinity", `1 ${NOT_HELPFUL}`, 1),
    )
  })
})
