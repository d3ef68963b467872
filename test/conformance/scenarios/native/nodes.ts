import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create, get, merge, remove, replace } from '../../steps.ts'

const nodes = '/api/v1/nodes'
const one = `${nodes}/{ns}`
const NOT_READY = 'node.kubernetes.io/not-ready'
const node = (spec?: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: '{ns}', ...metadata },
  ...(spec && { spec }),
})

/** Nodes, which no kubelet makes ready here. */
export const nodeKind: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'a new Node is tainted until it is ready',
    create(nodes, node()),
    get(one),
    create(nodes, node()),
    merge(one, { spec: { taints: null } }),
    replace(one, node()),
    remove(one),
  ),
  scenario(
    'B native kinds',
    'a new Node keeps its own taints beside the one of a Node that is not ready',
    create(nodes, node({ taints: [{ key: 'example.com/gpu', value: 'yes', effect: 'NoExecute' }] })),
    remove(one),
  ),
  scenario(
    'B native kinds',
    'a new Node with the taint of a Node that is not ready gets no second one',
    create(nodes, node({ taints: [{ key: NOT_READY, value: 'booting', effect: 'NoSchedule' }] })),
    remove(one),
  ),
  scenario(
    'B native kinds',
    'a new Node with the taint of a Node that is not ready in another effect',
    create(nodes, node({ taints: [{ key: NOT_READY, effect: 'NoExecute' }] })),
    remove(one),
  ),
  scenario(
    'B native kinds',
    'a new Node with null in place of taints, as a dry run',
    create(`${nodes}?dryRun=All`, node({ taints: null })),
    create(`${nodes}?dryRun=All`, node({ taints: [null] })),
    create(`${nodes}?dryRun=All`, node({ taints: {} })),
    create(`${nodes}?dryRun=All`, node({ taints: [{ key: 'a b', effect: 'NoSchedule' }] })),
  ),
  scenario(
    'B native kinds',
    'a Node is applied',
    apply(one, node()),
    apply(one, node({ taints: [{ key: 'example.com/gpu', effect: 'NoSchedule' }] })),
    apply(`${one}?fieldManager=two`, node({ taints: [{ key: NOT_READY, effect: 'NoSchedule' }] })),
    apply(one, node()),
    remove(one),
  ),
]
