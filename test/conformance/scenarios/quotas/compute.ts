import { pod, pods } from '../../objects.ts'
import type { Scenario } from '../../scenario.ts'
import { create } from '../../steps.ts'
import { container, ends, limited, make, only, resources, sized } from './quota-steps.ts'

export const compute: readonly Scenario[] = [
  limited(
    'limits requests and limits of Pods',
    { 'requests.cpu': '1', 'requests.memory': '1Gi', 'limits.cpu': '2', 'limits.memory': '2Gi' },
    {},
    make(pods, pod('a')),
    make(pods, sized('b', { cpu: '500m' }, { cpu: '1' })),
    make(pods, sized('c', { cpu: '500m', memory: '512Mi' }, { cpu: '1', memory: '1Gi' })),
    make(pods, sized('d', { cpu: '600m', memory: '512Mi' }, { cpu: '1', memory: '1Gi' })),
    make(pods, sized('e', { cpu: '100m', memory: '600Mi' }, { cpu: '1', memory: '2Gi' })),
    make(pods, sized('f', { cpu: '0.5', memory: '0.5Gi' }, { cpu: '1', memory: '1Gi' })),
  ),
  limited(
    'limits cpu and memory by their short names',
    { cpu: '1', memory: '100M' },
    {},
    make(pods, sized('a', { cpu: '250m' })),
    make(pods, sized('b', { cpu: '250m', memory: '50M' })),
    make(pods, sized('c', { cpu: '1', memory: '50M' })),
  ),
  limited(
    'names all containers that do not say what they need',
    { 'requests.cpu': '1', 'limits.memory': '1Gi' },
    {},
    make(
      pods,
      pod('a', {
        containers: [container('z'), container('y', resources({ cpu: '1' }))],
        initContainers: [container('i')],
      }),
    ),
  ),
  limited(
    'adds up containers, and what init containers need at one time',
    { 'requests.cpu': '3' },
    {},
    make(
      pods,
      pod('a', {
        containers: [container('x', resources({ cpu: '1' })), container('y', resources({ cpu: '500m' }))],
        initContainers: [container('i', resources({ cpu: '2' }))],
      }),
    ),
    make(pods, sized('b', { cpu: '1' })),
    make(pods, sized('c', { cpu: '100m' })),
  ),
  limited(
    'counts sidecars beside containers',
    { 'requests.cpu': '2' },
    {},
    make(
      pods,
      pod('a', {
        containers: [container('x', resources({ cpu: '1' }))],
        initContainers: [container('s', { ...resources({ cpu: '1' }), restartPolicy: 'Always' })],
      }),
    ),
    make(pods, sized('b', { cpu: '1m' })),
  ),
  limited(
    'takes what a Pod asks for as a whole',
    { 'requests.cpu': '2', 'limits.cpu': '2' },
    {},
    make(pods, pod('a', { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } })),
    make(pods, pod('b', { resources: { requests: { cpu: '1500m' }, limits: { cpu: '1500m' } } })),
  ),
  limited(
    'limits ephemeral storage without requiring it',
    { 'requests.ephemeral-storage': '1Gi', 'limits.ephemeral-storage': '2Gi' },
    {},
    make(pods, pod('a')),
    make(pods, sized('b', { 'ephemeral-storage': '1Gi' }, { 'ephemeral-storage': '1Gi' })),
    make(pods, sized('c', { 'ephemeral-storage': '1' }, { 'ephemeral-storage': '2Gi' })),
  ),
  limited(
    'limits resources of vendors',
    { 'requests.example.com/gpu': '2' },
    {},
    make(pods, pod('a')),
    make(pods, sized('b', { 'example.com/gpu': '2' }, { 'example.com/gpu': '2' })),
    make(pods, sized('c', { 'example.com/gpu': '1' }, { 'example.com/gpu': '1' })),
  ),
  limited(
    'limits huge pages',
    { 'requests.hugepages-2Mi': '4Mi', 'hugepages-2Mi': '6Mi' },
    {},
    make(pods, sized('a', { cpu: '1', 'hugepages-2Mi': '4Mi' }, { 'hugepages-2Mi': '4Mi' })),
    make(pods, sized('b', { cpu: '1', 'hugepages-2Mi': '2Mi' }, { 'hugepages-2Mi': '2Mi' })),
  ),
  limited(
    'says all that is exceeded, by name',
    { pods: '0', 'requests.memory': '1Mi', 'requests.cpu': '10m', 'count/pods': '0' },
    {},
    make(pods, sized('a', { cpu: '1', memory: '1Gi' })),
  ),
  limited(
    'keeps counting a Pod that has ended as an object',
    { pods: '1', 'count/pods': '2' },
    {},
    make(pods, pod('a')),
    ends('a', 'Succeeded'),
    make(pods, pod('b')),
  ),
  limited(
    'is not exceeded by a dry run, and does not count it',
    { pods: '1' },
    {},
    create(`${pods}?dryRun=All`, pod('a'), only),
    create(`${pods}?dryRun=All`, pod('b'), only),
    make(pods, pod('c')),
    create(`${pods}?dryRun=All`, pod('d'), only),
  ),
  limited(
    'refuses before it is known that a name is taken',
    { pods: '1' },
    {},
    make(pods, pod('a')),
    make(pods, pod('a')),
  ),
  limited(
    'does not look at an object that is invalid',
    { pods: '0' },
    {},
    create(pods, pod('a', { containers: [] })),
    create(pods, pod('NOT_A_NAME')),
  ),
]
