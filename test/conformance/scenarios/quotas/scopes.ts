import { pod, pods } from '../../objects.ts'
import type { Scenario } from '../../scenario.ts'
import { merge } from '../../steps.ts'
import { type Fields, limited, make, only, sized } from './quota-steps.ts'

const crossing = { topologyKey: 'zone', namespaces: ['other'] }
const affinity = (term: Fields) => ({
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
})
export const selector = (scopeName: string, operator: string, values?: readonly string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values && { values }) }] },
})

export const scopes: readonly Scenario[] = [
  limited(
    'counts Pods with a deadline alone',
    { pods: '1' },
    { scopes: ['Terminating'] },
    make(pods, pod('a')),
    make(pods, pod('b', { activeDeadlineSeconds: 60 })),
    make(pods, pod('c', { activeDeadlineSeconds: 60 })),
    make(pods, pod('d')),
  ),
  limited(
    'counts Pods without a deadline alone',
    { pods: '1' },
    { scopes: ['NotTerminating'] },
    make(pods, pod('a', { activeDeadlineSeconds: 60 })),
    make(pods, pod('b')),
    make(pods, pod('c')),
  ),
  limited(
    'counts a Pod that gets a deadline',
    { pods: '1' },
    { scopes: ['Terminating'] },
    make(pods, pod('a')),
    make(pods, pod('b')),
    merge(`${pods}/a`, { spec: { activeDeadlineSeconds: 60 } }, only),
    merge(`${pods}/b`, { spec: { activeDeadlineSeconds: 60 } }, only),
  ),
  limited(
    'counts Pods of no class of service alone',
    { pods: '1' },
    { scopes: ['BestEffort'] },
    make(pods, sized('a', { cpu: '1' })),
    make(pods, pod('b')),
    make(pods, pod('c')),
  ),
  limited(
    'counts Pods that ask for something alone',
    { pods: '1', 'requests.cpu': '2' },
    { scopes: ['NotBestEffort'] },
    make(pods, pod('a')),
    make(pods, sized('b', { cpu: '1' })),
    make(pods, sized('c', { cpu: '1' })),
  ),
  limited(
    'counts Pods in two scopes at once',
    { pods: '1' },
    { scopes: ['BestEffort', 'Terminating'] },
    make(pods, pod('a')),
    make(pods, sized('b', { cpu: '1' }, {}, { activeDeadlineSeconds: 60 })),
    make(pods, pod('c', { activeDeadlineSeconds: 60 })),
    make(pods, pod('d', { activeDeadlineSeconds: 60 })),
  ),
  ...(
    [
      ['In', ['system-node-critical']],
      ['NotIn', ['system-node-critical']],
      ['Exists', undefined],
      ['DoesNotExist', undefined],
    ] as const
  ).map(([operator, values]) =>
    limited(
      `counts Pods by a priority class that is ${operator}`,
      { pods: '1' },
      selector('PriorityClass', operator, values),
      make(pods, pod('a')),
      make(pods, pod('b')),
      make(pods, pod('c', { priorityClassName: 'system-node-critical' })),
      make(pods, pod('d', { priorityClassName: 'system-node-critical' })),
      make(pods, pod('e', { priorityClassName: 'system-cluster-critical' })),
    ),
  ),
  limited(
    'counts Pods whose affinity reaches other namespaces',
    { pods: '0' },
    { scopes: ['CrossNamespacePodAffinity'] },
    make(pods, pod('a')),
    make(pods, pod('b', affinity({ topologyKey: 'zone' }))),
    make(pods, pod('c', affinity(crossing))),
    make(pods, pod('d', affinity({ topologyKey: 'zone', namespaceSelector: {} }))),
    make(
      pods,
      pod('e', {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: crossing }],
          },
        },
      }),
    ),
  ),
]
