import { configMap, deployment, ownedBy, replicaSet } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, gone, patch, ready, remove } from '../steps.ts'

const map = (name: string, rest: object = {}) => ownedBy('v1', 'ConfigMap', name, rest)
const owned = (name: string, ...ownerReferences: object[]) => configMap(name, { ownerReferences })

export const garbage = topic(
  'garbage',
  {
    'goes before its owner in the foreground': [
      create('deployments', deployment({ replicas: 2 })),
      ready({ count: 2 }),
      remove('deployments/web', 'Foreground'),
      gone({ count: 1 }),
      gone({ count: 1 }),
    ],
    'goes after its owner in the background': [
      create('replicasets', replicaSet({ replicas: 1 })),
      ready({ count: 1 }),
      remove('replicasets/web', 'Background'),
      gone({ count: 1 }),
    ],
    'stays when its owner leaves it behind': [
      create('replicasets', replicaSet({ replicas: 1 })),
      ready({ count: 1 }),
      remove('replicasets/web', 'Orphan'),
    ],
    'is what says that it is owned by nothing': [
      create(
        'configmaps',
        owned('lost', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'never',
          uid: '00000000-0000-4000-8000-000000000001',
        }),
      ),
    ],
    'is kept by the last of its owners': [
      create('configmaps', configMap('one'), configMap('two')),
      create('configmaps', owned('child', map('one'), map('two'))),
      remove('configmaps/one'),
      remove('configmaps/two'),
    ],
    'holds up its owner only where it says so': [
      create('configmaps', configMap('owner')),
      create(
        'configmaps',
        configMap('held', {
          ownerReferences: [map('owner', { blockOwnerDeletion: true })],
          finalizers: ['example.com/hold'],
        }),
        configMap('free', { ownerReferences: [map('owner')], finalizers: ['example.com/hold'] }),
      ),
      remove('configmaps/owner', 'Foreground'),
      patch('configmaps/held', { metadata: { finalizers: null } }),
      patch('configmaps/free', { metadata: { finalizers: null } }),
    ],
    'may own itself in a circle': [
      create('configmaps', configMap('a')),
      create('configmaps', owned('b', map('a', { blockOwnerDeletion: true }))),
      patch('configmaps/a', { metadata: { ownerReferences: [map('b', { blockOwnerDeletion: true })] } }),
      remove('configmaps/a'),
    ],
    'goes through all generations': [
      create('configmaps', configMap('grandparent')),
      create('configmaps', owned('parent', map('grandparent'))),
      create('configmaps', owned('child', map('parent'))),
      remove('configmaps/grandparent'),
    ],
  },
  { also: ['configmaps'] },
)
