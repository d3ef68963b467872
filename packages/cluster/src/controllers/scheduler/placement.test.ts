import type { CoreV1, Node, Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { place } from './placement.ts'

function node(name: string, spec: Partial<CoreV1.NodeSpec> = {}, ready = 'True'): Node {
  return {
    metadata: { name, labels: { disk: name } },
    spec,
    status: { conditions: [{ type: 'Ready', status: ready }] },
  } as unknown as Node
}
function pod(spec: Partial<CoreV1.PodSpec> = {}): Pod {
  return { metadata: { name: 'p' }, spec } as unknown as Pod
}
const none = (): number => 0

describe('choosing a node', () => {
  it('takes the one with the fewest Pods', () => {
    expect(place(pod(), [node('a'), node('b')], (name) => (name === 'a' ? 2 : 1))).toEqual({ node: 'b' })
  })

  it('keeps to the selector of the Pod', () => {
    const nodes = [node('a'), node('b')]
    expect(place(pod({ nodeSelector: { disk: 'b' } }), nodes, none)).toEqual({ node: 'b' })
    expect(place(pod({ nodeSelector: { disk: 'c' } }), nodes, none)).toEqual({
      reason: "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
    })
  })

  it('leaves out nodes that are not ready, closed or tainted', () => {
    const taints = [{ key: 'k', value: 'v', effect: 'NoSchedule' }]
    const nodes = [node('a', {}, 'False'), node('b', { unschedulable: true }), node('c', { taints })]
    expect(place(pod(), nodes, none)).toEqual({
      reason:
        '0/3 nodes are available: 1 node(s) had untolerated taint(s), 1 node(s) were not ready, 1 node(s) were unschedulable.',
    })
    const tolerations = [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }]
    expect(place(pod({ tolerations }), nodes, none)).toEqual({ node: 'c' })
    expect(place(pod({ tolerations: [{ operator: 'Exists' }] }), nodes, none)).toEqual({ node: 'c' })
  })

  it('says that there is no node at all', () => {
    expect(place(pod(), [], none)).toEqual({ reason: 'no nodes available to schedule pods' })
  })
})
