import { configMap, deployment } from '../objects.ts'
import { topic } from '../scenario.ts'
import { create, gone, patch, ready, remove } from '../steps.ts'

export const namespaces = topic(
  'namespace',
  {
    'is deleted with all that is in it': [
      create('configmaps', configMap('settings')),
      create('deployments', deployment({ replicas: 1 })),
      ready({ count: 1 }),
      remove('namespaces/{ns}'),
      gone(),
    ],
    'waits for what someone still holds': [
      create('configmaps', configMap('held', { finalizers: ['example.com/hold'] })),
      remove('namespaces/{ns}'),
      patch('configmaps/held', { metadata: { finalizers: null } }),
    ],
    'has an account and a certificate that come back': [
      remove('serviceaccounts/default'),
      remove('configmaps/kube-root-ca.crt'),
      patch('configmaps/kube-root-ca.crt', { data: { 'ca.crt': 'something else' } }),
    ],
  },
  // The controller of Kubernetes lets a namespace that is being deleted rest for five seconds.
  { also: ['configmaps', 'serviceaccounts', 'namespaces'], quiet: '14s' },
)
