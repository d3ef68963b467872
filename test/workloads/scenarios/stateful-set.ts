import { statefulSet, template } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, deletePods, fail, gone, pass, patch, ready, remove, run, scale, setImage } from '../steps.ts'

const DB = 'statefulsets/db'
const claims = {
  template: template({ labels: { app: 'db' } }),
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: '{ns}',
      },
    },
  ],
}
const upTo = (...names: string[]) => names.map((name) => ready({ name, count: 1 }))

export const statefulSets = topic('statefulset', {
  'starts its Pods one after the other, and ends them from the last': [
    create('statefulsets', statefulSet({ replicas: 3 })),
    run({ name: 'db-0' }),
    ...upTo('db-0', 'db-1', 'db-2'),
    scale(DB, 1),
    gone({ name: 'db-2', count: 1 }),
    gone({ name: 'db-1', count: 1 }),
  ],
  'rolls an update out from the last Pod': [
    create('statefulsets', statefulSet()),
    ...upTo('db-0', 'db-1'),
    setImage(DB, 'app:2'),
    gone({ count: 1 }),
    ready({ name: 'db-1', count: 1 }),
    gone({ count: 1 }),
    ready({ name: 'db-0', count: 1 }),
  ],
  'rolls an update out down to its partition': [
    create(
      'statefulsets',
      statefulSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }),
    ),
    ...upTo('db-0', 'db-1'),
    setImage(DB, 'app:2'),
    gone({ count: 1 }),
    ready({ name: 'db-1', count: 1 }),
    deletePods({ name: 'db-0', count: 1 }),
    gone({ count: 1 }),
    ready({ name: 'db-0', count: 1 }),
    patch(DB, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
    gone({ count: 1 }),
    ready({ name: 'db-0', count: 1 }),
  ],
  'starts and ends its Pods at once where their order does not matter': [
    create('statefulsets', statefulSet({ replicas: 3, podManagementPolicy: 'Parallel' })),
    ready({ count: 3 }),
    scale(DB, 1),
    gone({ count: 2 }),
    scale(DB, 2),
    ready({ count: 1 }),
  ],
  'rolls an update out one by one where their order does not matter': [
    create('statefulsets', statefulSet({ replicas: 2, podManagementPolicy: 'Parallel' })),
    ready({ count: 2 }),
    setImage(DB, 'app:2'),
    gone({ count: 1 }),
    ready({ count: 1 }),
    gone({ count: 1 }),
    ready({ count: 1 }),
  ],
  'updates a Pod only when someone deletes it': [
    create('statefulsets', statefulSet({ updateStrategy: { type: 'OnDelete' } })),
    ...upTo('db-0', 'db-1'),
    setImage(DB, 'app:2'),
    deletePods({ name: 'db-0', count: 1 }),
    gone({ count: 1 }),
    ready({ name: 'db-0', count: 1 }),
  ],
  'makes a claim for each Pod, and keeps it': [
    create('statefulsets', statefulSet({ replicas: 2, ...claims })),
    ...upTo('db-0', 'db-1'),
    scale(DB, 1),
    gone({ count: 1 }),
    scale(DB, 2),
    remove(DB),
    gone(),
  ],
  'deletes claims that it no longer needs, where it is told to': [
    create(
      'statefulsets',
      statefulSet({
        replicas: 2,
        ...claims,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      }),
    ),
    ...upTo('db-0', 'db-1'),
    scale(DB, 1),
    gone({ count: 1 }),
    remove(DB),
    gone(),
  ],
  'makes a Pod anew that failed, or that was deleted': [
    create('statefulsets', statefulSet({ replicas: 2 })),
    ...upTo('db-0', 'db-1'),
    fail({ name: 'db-0', count: 1 }),
    gone(),
    ready({ name: 'db-0', count: 1 }),
    deletePods({ name: 'db-1', count: 1 }),
    gone({ count: 1 }),
    ready({ name: 'db-1', count: 1 }),
  ],
  'waits with an update for a Pod that does not work': [
    create('statefulsets', statefulSet({ replicas: 2 })),
    ...upTo('db-0', 'db-1'),
    setImage(DB, 'app:2'),
    gone({ count: 1 }),
    run({ name: 'db-1', count: 1 }),
    setImage(DB, 'app:1'),
    deletePods({ name: 'db-1', count: 1 }),
    gone({ count: 1 }),
    ready({ name: 'db-1', count: 1 }),
  ],
  'takes a Pod for available when it was ready for some time': [
    create('statefulsets', statefulSet({ replicas: 2, minReadySeconds: 15 })),
    ready({ name: 'db-0', count: 1 }),
    pass('15s'),
  ],
  'counts from where it is told to': [
    create('statefulsets', statefulSet({ replicas: 2, ordinals: { start: 5 } })),
    ...upTo('db-5', 'db-6'),
    scale(DB, 1),
    gone({ count: 1 }),
  ],
  'keeps as much history as it should': [
    create('statefulsets', statefulSet({ replicas: 1, revisionHistoryLimit: 0 })),
    ready({ name: 'db-0', count: 1 }),
    setImage(DB, 'app:2'),
    gone({ count: 1 }),
    ready({ name: 'db-0', count: 1 }),
    setImage(DB, 'app:3'),
    gone({ count: 1 }),
    ready({ name: 'db-0', count: 1 }),
  ],
  'takes its Pods in again after it was deleted without them': [
    create('statefulsets', statefulSet({ replicas: 1 })),
    ready({ name: 'db-0', count: 1 }),
    remove(DB, 'Orphan'),
    create('statefulsets', statefulSet({ replicas: 1 })),
  ],
})
