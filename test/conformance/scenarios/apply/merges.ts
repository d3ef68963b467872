import {
  configMap,
  configMaps,
  deployment,
  deployments,
  service,
  services,
  widget,
  widgets,
} from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { apply, create } from '../../steps.ts'
import { by, partial } from './applied-objects.ts'

/** How lists, maps and unknown fields are merged. */
export const merges: readonly Scenario[] = [
  scenario(
    'B apply',
    'of a Deployment, with lists by keys',
    apply(`${deployments}/a`, deployment('a', { replicas: 1 }, { ports: [{ containerPort: 80 }] })),
    apply(by(`${deployments}/a`, 'two'), partial('a', { replicas: 3 })),
    apply(
      by(`${deployments}/a`, 'two'),
      partial('a', {
        template: { spec: { containers: [{ name: 'web', env: [{ name: 'X', value: '1' }] }] } },
      }),
    ),
    apply(
      by(`${deployments}/a`, 'three'),
      partial('a', {
        template: { spec: { containers: [{ name: 'web', env: [{ name: 'X', value: '2' }] }] } },
      }),
    ),
    apply(
      by(`${deployments}/a`, 'two'),
      partial('a', { template: { spec: { containers: [{ name: 'log', image: 'log' }] } } }),
    ),
    apply(`${deployments}/a`, deployment('a', { replicas: 1 })),
  ),
  scenario(
    'B apply',
    'keeps the order of what is applied',
    apply(
      `${deployments}/a`,
      deployment('a', {}, { env: ['C', 'A', 'B'].map((name) => ({ name, value: name })) }),
    ),
    apply(
      by(`${deployments}/a`, 'two'),
      partial('a', {
        template: {
          spec: {
            containers: [
              {
                name: 'web',
                env: [
                  { name: 'Z', value: '1' },
                  { name: 'A', value: 'A' },
                ],
              },
            ],
          },
        },
      }),
    ),
    apply(
      `${deployments}/a`,
      deployment('a', {}, { env: ['B', 'D', 'C', 'A'].map((name) => ({ name, value: name })) }),
    ),
  ),
  scenario(
    'B apply',
    'of a Service, whose ports have two keys',
    apply(`${services}/a`, service('a')),
    apply(by(`${services}/a`, 'two'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ name: 'udp', port: 80, protocol: 'UDP' }] },
    }),
    apply(by(`${services}/a`, 'two'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ name: 'other', port: 80, protocol: 'TCP' }] },
    }),
  ),
  scenario(
    'B apply',
    'of lists whose elements stand twice',
    apply(
      `${deployments}/a`,
      deployment(
        'a',
        {},
        {
          env: [
            { name: 'X', value: '1' },
            { name: 'X', value: '2' },
          ],
        },
      ),
    ),
    apply(`${widgets}/a`, widget('a', { tags: ['x', 'y', 'x'] })),
    apply(`${widgets}/a`, widget('a', { parts: [{ name: 'p' }, { name: 'p' }] })),
    apply(`${widgets}/a`, widget('a', { parts: [{ count: 1 }] })),
  ),
  scenario(
    'B apply',
    'of a list that holds an element twice already',
    create(
      deployments,
      deployment(
        'a',
        {},
        {
          env: [
            { name: 'X', value: '1' },
            { name: 'X', value: '2' },
            { name: 'Y', value: '1' },
          ],
        },
      ),
    ),
    apply(
      by(`${deployments}/a`, 'one', '&force=true'),
      partial('a', {
        template: { spec: { containers: [{ name: 'web', env: [{ name: 'X', value: '3' }] }] } },
      }),
    ),
  ),
  scenario(
    'B apply',
    'of custom lists by keys',
    apply(`${widgets}/a`, widget('a', { parts: [{ name: 'p' }, { name: 'q', count: 2 }] })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { parts: [{ name: 'q', note: 'n' }, { name: 'r' }] })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { parts: [{ name: 'q', count: 5 }] })),
    apply(`${widgets}/a`, widget('a', { parts: [{ name: 'q', count: 2 }] })),
  ),
  scenario(
    'B apply',
    'of custom sets',
    apply(`${widgets}/a`, widget('a', { tags: ['x', 'y'] })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { tags: ['y', 'z'] })),
    apply(`${widgets}/a`, widget('a', { tags: ['w'] })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { tags: ['z', 'y', 'w'] })),
  ),
  scenario(
    'B apply',
    'of what is owned as a whole',
    apply(`${widgets}/a`, widget('a', { order: ['x', 'y'], fixed: { k: 'v' } })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { order: ['x', 'y', 'z'] })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { fixed: { l: 'w' } })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { fixed: { k: 'v' } })),
    apply(by(`${widgets}/a`, 'two', '&force=true'), widget('a', { fixed: { l: 'w' }, order: [] })),
  ),
  scenario(
    'B apply',
    'of maps, empty objects and nulls',
    apply(`${widgets}/a`, widget('a', { labels: {}, raw: {} })),
    apply(`${widgets}/a`, widget('a', { labels: { k: 'v' }, raw: { deep: { a: 1, b: [1, 2] } } })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { raw: { deep: { a: 2 } } })),
    apply(by(`${widgets}/a`, 'two'), widget('a', { raw: { deep: { c: null } } })),
    apply(`${widgets}/a`, widget('a', { labels: null })),
    apply(`${widgets}/a`, widget('a', { size: null })),
  ),
  scenario(
    'B apply',
    'of fields that no schema knows',
    apply(`${widgets}/a`, widget('a', { shape: 'round', size: 2 })),
    apply(`${configMaps}/a`, { ...configMap('a'), other: 'x' }),
    apply(`${deployments}/a`, deployment('a', { extra: 1 })),
    apply(`${deployments}/a`, deployment('a', {}, { ports: [{ containerPort: 80, extra: 1 }] })),
  ),
  scenario(
    'B apply',
    'of values of another type',
    apply(`${widgets}/a`, widget('a', { size: 'big' })),
    apply(`${widgets}/a`, widget('a', { parts: { name: 'p' } })),
    apply(`${widgets}/a`, widget('a', { labels: [] })),
    apply(`${deployments}/a`, deployment('a', { replicas: 'many' })),
    apply(`${deployments}/a`, deployment('a', { template: [] })),
    apply(`${configMaps}/a`, configMap('a', { x: 1 })),
  ),
]
