import { pod, replicaSet } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, deletePods, fail, gone, pass, patchPods, ready, remove, scale } from '../steps.ts'

const COST = 'controller.kubernetes.io/pod-deletion-cost'

export const replicaSets = topic('replicaset', {
  'makes Pods anew that are deleted or fail': [
    create('replicasets', replicaSet()),
    ready({ count: 2 }),
    deletePods({ count: 1 }),
    gone({ count: 1 }),
    ready({ count: 1 }),
    fail({ count: 1 }),
    ready({ count: 1 }),
  ],
  'takes in Pods that match': [
    create('pods', pod('found'), pod('other', { labels: { app: 'other' } })),
    ready({ name: 'found' }),
    create('replicasets', replicaSet()),
    ready(),
  ],
  'lets go a Pod that no longer matches, and takes it in again': [
    create('replicasets', replicaSet({ replicas: 1 })),
    ready(),
    patchPods({ count: 1 }, { metadata: { labels: { app: 'debug' } } }),
    patchPods({ labels: { app: 'debug' } }, { metadata: { labels: { app: 'web' } } }),
  ],
  'does not take in a Pod that is being deleted, or that has an end': [
    create('pods', pod('done'), pod('ending')),
    fail({ name: 'done' }),
    ready({ name: 'ending' }),
    deletePods({ name: 'ending' }),
    create('replicasets', replicaSet({ replicas: 1 })),
    gone({ count: 1 }),
  ],
  'removes Pods first that do not work yet': [
    create('replicasets', replicaSet({ replicas: 3 })),
    ready({ count: 1 }),
    scale('replicasets/web', 1),
  ],
  'removes the Pod first that costs least': [
    create('pods', pod('cheap'), pod('dear')),
    ready({ count: 2 }),
    patchPods({ name: 'cheap' }, { metadata: { annotations: { [COST]: '-10' } } }),
    patchPods({ name: 'dear' }, { metadata: { annotations: { [COST]: '10' } } }),
    create('replicasets', replicaSet({ replicas: 2 })),
    scale('replicasets/web', 1),
    gone({ count: 1 }),
  ],
  'leaves its Pods to another': [
    create('replicasets', replicaSet()),
    ready({ count: 2 }),
    remove('replicasets/web', 'Orphan'),
    create('replicasets', replicaSet({}, 'next')),
  ],
  'takes a Pod for available when it was ready for some time': [
    create('replicasets', replicaSet({ replicas: 1, minReadySeconds: 15 })),
    ready(),
    pass('15s'),
    scale('replicasets/web', 0),
    gone(),
  ],
})
