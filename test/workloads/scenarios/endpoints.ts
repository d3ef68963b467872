import { pod, service, statefulSet } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, deletePods, gone, patch, patchPods, ready, remove, unready } from '../steps.ts'

const named = {
  containers: [{ name: 'app', image: 'app:1', ports: [{ name: 'http', containerPort: 8080 }] }],
}

export const endpoints = topic(
  'endpoints',
  {
    'are the Pods that are ready': [
      create('services', service()),
      create('pods', pod('one'), pod('two')),
      ready({ name: 'one' }),
      ready({ name: 'two' }),
      unready({ name: 'one' }),
      deletePods({ name: 'two' }),
      gone({ count: 1 }),
    ],
    'follow the selector': [
      create('pods', pod('one'), pod('two', { labels: { app: 'other' } })),
      ready({ count: 2 }),
      create('services', service()),
      patch('services/web', { spec: { selector: { app: 'other' } } }),
      patchPods({ name: 'one' }, { metadata: { labels: { app: 'other' } } }),
    ],
    'have the port that a container gives a name to': [
      create('pods', pod('one', { spec: named })),
      ready({ count: 1 }),
      create('services', service({ ports: [{ name: 'web', port: 80, targetPort: 'http' }] })),
    ],
    'have the names of Pods behind a Service without an address': [
      create('services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'db' },
        spec: { clusterIP: 'None', selector: { app: 'db' }, ports: [{ name: 'sql', port: 5432 }] },
      }),
      create('statefulsets', statefulSet({ replicas: 1 })),
      ready({ count: 1 }),
    ],
    'are also Pods that are not ready, where the Service says so': [
      create('services', service({ publishNotReadyAddresses: true })),
      create('pods', pod('one')),
      ready({ count: 1 }),
      unready({ count: 1 }),
    ],
    'are left alone where there is no selector': [create('services', service({ selector: null }))],
    'are mirrored in a slice where someone else writes them': [
      create('services', service({ selector: null, ports: [{ name: 'http', port: 80 }] })),
      create('endpoints', {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'web' },
        subsets: [
          {
            addresses: [{ ip: '192.0.2.1' }],
            notReadyAddresses: [{ ip: '192.0.2.2', hostname: 'b' }],
            ports: [{ name: 'http', port: 8080 }],
          },
        ],
      }),
      patch('endpoints/web', {
        metadata: { labels: { a: 'b' } },
        subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'http', port: 8080 }] }],
      }),
      patch('endpoints/web', { subsets: null }),
      remove('services/web'),
    ],
    'stay for a Pod that is on its way out': [
      create('services', service()),
      create('pods', pod('one')),
      ready({ count: 1 }),
      deletePods({ name: 'one' }),
      unready({ are: 'terminating', count: 1 }),
      gone({ count: 1 }),
    ],
  },
  { also: ['services', 'endpoints', 'endpointslices'] },
)
