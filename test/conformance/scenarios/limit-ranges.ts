import { deployment, deployments, pod, pods } from '../objects.ts'
import { scenario, topic, type Scenario, type Step } from '../scenario.ts'
import { create, merge, pass, remove } from '../steps.ts'

const ranges = '/api/v1/~/limitranges'
const claims = '/api/v1/~/persistentvolumeclaims'
type Fields = Readonly<Record<string, unknown>>
type Amounts = Readonly<Record<string, string>>

const range = (name: string, ...limits: readonly Fields[]) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name },
  spec: { limits },
})
const container = (name: string, requests?: Amounts, limits?: Amounts, more: Fields = {}) => ({
  name,
  image: 'web:1',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
  ...more,
})
const given = {
  show: ({ metadata, spec }: { metadata: Record<string, unknown>; spec: Record<string, unknown> }) => ({
    annotations: metadata['annotations'],
    containers: spec['containers'],
    initContainers: spec['initContainers'],
    resources: spec['resources'],
  }),
}
const made = (name: string, spec: Fields): Step => create(pods, pod(name, spec), given)
const one = (name: string, requests?: Amounts, limits?: Amounts): Step =>
  made(name, { containers: [container('web', requests, limits)] })
const claim = (name: string, storage: string) =>
  create(
    claims,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    },
    { show: ({ metadata }) => metadata.name as unknown },
  )

/** Limits, and what they make of objects. A server learns of them a moment later. */
function within(title: string, limits: readonly Fields[], ...steps: readonly Step[]): Scenario {
  return scenario(
    'B native kinds',
    `limits: ${title}`,
    create(ranges, range('l', ...limits), { show: ({ spec }) => spec as unknown }),
    pass('1s'),
    ...steps,
  )
}

const containers = (more: Fields): Fields => ({ type: 'Container', ...more })
const wholePod = (more: Fields): Fields => ({ type: 'Pod', ...more })
const whole = (more: Fields): Fields => ({ type: 'PersistentVolumeClaim', ...more })

const defaults: readonly Scenario[] = [
  within(
    'defaults of limits',
    [containers({ default: { cpu: '1', memory: '1Gi' } })],
    one('a'),
    one('b', { cpu: '500m' }),
    one('c', {}, { cpu: '2' }),
  ),
  within(
    'defaults of requests',
    [containers({ defaultRequest: { cpu: '100m', memory: '64Mi' } })],
    one('a'),
    one('b', { cpu: '1' }),
    one('c', {}, { cpu: '50m' }),
  ),
  within(
    'defaults of both',
    [containers({ default: { cpu: '1' }, defaultRequest: { cpu: '500m' } })],
    one('a'),
    one('b', { cpu: '2' }),
    one('c', { cpu: '200m' }, { cpu: '300m' }),
  ),
  within(
    'defaults that follow from the most',
    [containers({ max: { cpu: '2', memory: '1Gi' } })],
    one('a'),
    one('b', { cpu: '1' }),
  ),
  within(
    'defaults that follow from the least',
    [containers({ min: { cpu: '50m' } })],
    one('a'),
    one('b', {}, { cpu: '1' }),
  ),
  within(
    'defaults of init containers and sidecars',
    [containers({ default: { cpu: '1' }, defaultRequest: { memory: '64Mi' } })],
    made('a', {
      containers: [container('x'), container('y', { cpu: '1' }, { cpu: '1' })],
      initContainers: [container('i'), container('s', undefined, undefined, { restartPolicy: 'Always' })],
    }),
  ),
  within(
    'defaults of ephemeral storage and of vendors',
    [containers({ default: { 'ephemeral-storage': '1Gi', 'example.com/gpu': '1' } })],
    one('a'),
    one('b', {}, { 'example.com/gpu': '2' }),
  ),
  within(
    'defaults of a Pod that has annotations',
    [containers({ default: { cpu: '1' } })],
    create(pods, pod('a', {}, { annotations: { mine: 'yes' } }), given),
  ),
  within(
    'no defaults for templates',
    [containers({ default: { cpu: '1' } })],
    create(deployments, deployment('a'), { show: ({ spec }) => spec.template.spec.containers as unknown }),
  ),
  scenario(
    'B native kinds',
    'limits: defaults of two ranges',
    create(ranges, range('l', containers({ default: { cpu: '1' } })), { show: () => 'done' }),
    create(ranges, range('m', containers({ default: { memory: '1Gi' } })), { show: () => 'done' }),
    pass('1s'),
    create(pods, pod('a'), { show: ({ spec }) => spec.containers as unknown }),
  ),
]

const bounds: readonly Scenario[] = [
  within(
    'the least of a container',
    [containers({ min: { cpu: '100m', memory: '64Mi' } })],
    one('a', { cpu: '50m', memory: '64Mi' }),
    one('b', { cpu: '100m', memory: '32Mi' }, { memory: '32Mi' }),
    one('c', { cpu: '100m', memory: '64Mi' }),
  ),
  within(
    'the most of a container',
    [containers({ max: { cpu: '1', memory: '128Mi' } })],
    one('a', { cpu: '2' }, { cpu: '2' }),
    one('b', { memory: '1Gi' }, { memory: '1Gi' }),
    one('c', { cpu: '500m' }, { cpu: '1', memory: '1Mi' }),
  ),
  within(
    'the ratio of a container',
    [containers({ maxLimitRequestRatio: { cpu: '2' } })],
    one('a'),
    one('b', { cpu: '1' }),
    one('c', { cpu: '1' }, { cpu: '3' }),
    one('d', { cpu: '1' }, { cpu: '2' }),
    one('e', {}, { cpu: '1' }),
  ),
  within(
    'the least of a Pod',
    [wholePod({ min: { cpu: '1' } })],
    one('a', { cpu: '500m' }),
    made('b', { containers: [container('x', { cpu: '500m' }), container('y', { cpu: '500m' })] }),
    one('c'),
  ),
  within(
    'the most of a Pod',
    [wholePod({ max: { cpu: '1', memory: '1Gi' } })],
    one('a', { cpu: '1', memory: '1Gi' }),
    one('b', { cpu: '2' }, { cpu: '2', memory: '2Gi' }),
    one('c', { cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }),
  ),
  within(
    'the ratio of a Pod',
    [wholePod({ maxLimitRequestRatio: { memory: '1.5' } })],
    one('a', { memory: '100Mi' }, { memory: '200Mi' }),
    one('b', { memory: '100Mi' }, { memory: '150Mi' }),
  ),
  within(
    'the most of a Pod with init containers and sidecars',
    [wholePod({ max: { cpu: '2' } })],
    made('a', {
      containers: [container('x', { cpu: '1' }, { cpu: '1' })],
      initContainers: [container('i', { cpu: '3' }, { cpu: '3' })],
    }),
    made('b', {
      containers: [container('x', { cpu: '1' }, { cpu: '1' })],
      initContainers: [container('s', { cpu: '1500m' }, { cpu: '1500m' }, { restartPolicy: 'Always' })],
    }),
    made('c', {
      containers: [container('x', { cpu: '1' }, { cpu: '1' })],
      initContainers: [container('i', { cpu: '2' }, { cpu: '2' })],
    }),
  ),
  within(
    'what a Pod asks for as a whole',
    [wholePod({ max: { cpu: '1' } })],
    made('a', { resources: { requests: { cpu: '2' }, limits: { cpu: '2' } } }),
    made('b', { resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }),
  ),
  within(
    'containers and Pods at once',
    [containers({ max: { cpu: '1' } }), wholePod({ max: { cpu: '2' } })],
    one('a', { cpu: '3' }, { cpu: '3' }),
  ),
  within(
    'every container that is beyond',
    [containers({ max: { cpu: '1' } })],
    made('a', {
      containers: [container('x', { cpu: '2' }, { cpu: '2' }), container('y', { cpu: '3' }, { cpu: '3' })],
      initContainers: [container('i', { cpu: '4' }, { cpu: '4' })],
    }),
  ),
  within(
    'a change of a Pod is not held to them',
    [containers({ max: { cpu: '1' } })],
    one('a', { cpu: '1' }, { cpu: '1' }),
    merge(
      `${ranges}/l`,
      { spec: { limits: [containers({ max: { cpu: '500m' } })] } },
      { show: () => 'done' },
    ),
    pass('1s'),
    merge(`${pods}/a`, { metadata: { labels: { a: 'b' } } }, { show: () => 'done' }),
    one('b', { cpu: '1' }, { cpu: '1' }),
  ),
  within(
    'limits that are gone',
    [containers({ max: { cpu: '1' } })],
    one('a', { cpu: '2' }, { cpu: '2' }),
    remove(`${ranges}/l`, undefined, { show: () => 'done' }),
    pass('1s'),
    one('a', { cpu: '2' }, { cpu: '2' }),
  ),
  within(
    'the storage of claims',
    [whole({ min: { storage: '1Gi' }, max: { storage: '2Gi' } })],
    claim('a', '512Mi'),
    claim('b', '3Gi'),
    claim('c', '2Gi'),
  ),
  within(
    'the most storage of claims alone',
    [whole({ max: { storage: '2Gi' } })],
    claim('a', '1'),
    claim('b', '2049Mi'),
  ),
  within(
    'a dry run',
    [containers({ default: { cpu: '1' }, max: { cpu: '2' } })],
    create(`${pods}?dryRun=All`, pod('a'), given),
    create(`${pods}?dryRun=All`, pod('b', { containers: [container('x', { cpu: '3' }, { cpu: '3' })] })),
  ),
]

const invalid: readonly Scenario[] = (
  [
    ['the least above the most', [containers({ min: { cpu: '2' }, max: { cpu: '1' } })]],
    ['a default above the most', [containers({ default: { cpu: '2' }, max: { cpu: '1' } })]],
    [
      'a default request above the default',
      [containers({ default: { cpu: '1' }, defaultRequest: { cpu: '2' } })],
    ],
    ['a default below the least', [containers({ default: { cpu: '1m' }, min: { cpu: '1' } })]],
    ['defaults of Pods', [wholePod({ default: { cpu: '1' }, defaultRequest: { cpu: '1' } })]],
    ['a ratio below one', [containers({ maxLimitRequestRatio: { cpu: '500m' } })]],
    [
      'a ratio that the most does not allow',
      [containers({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } })],
    ],
    ['a type twice', [containers({}), containers({})]],
    ['a type that is none', [{ type: 'Node', max: { cpu: '1' } }]],
    ['claims without storage', [whole({ max: { cpu: '1' } })]],
    ['a resource that is none', [containers({ max: { pods: '1' } })]],
    [
      'a vendor’s resource with two values',
      [containers({ default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } })],
    ],
  ] as const
).map(([title, limits]) =>
  scenario('B native kinds', `limits: refuses ${title}`, create(ranges, range('l', ...limits))),
)

/** LimitRanges: what they give to Pods, and what they refuse. */
export const limitTopic = topic('limit-ranges', [...defaults, ...bounds, ...invalid])
