import {
  configMap,
  configMaps,
  deployment,
  deployments,
  gadget,
  gadgetDefinition,
  gadgets,
  pod,
  pods,
  secrets,
  service,
  services,
  widget,
  widgetDefinition,
  widgets,
} from '../objects.ts'
import { scenario, timedScenario, topic } from '../scenario.ts'
import { apply, create, get, jsonPatch, merge, pass, patch, remove, replace } from '../steps.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const by = (path: string, manager: string, more = '') => `${path}?fieldManager=${manager}${more}`
const OTHER_UID = '11111111-2222-3333-4444-555555555555'

const partial = (name: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec,
})

/** Server-side apply: who owns what, and who may change it. */
export const applies = topic(
  'apply',
  [
    scenario(
      'B apply',
      'creates, and changes only what differs',
      apply(`${configMaps}/a`, configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } })),
      apply(`${configMaps}/a`, configMap('a', { x: '1', y: '2' }, { labels: { l: '1' } })),
      apply(`${configMaps}/a`, configMap('a', { x: '1', y: '3' }, { labels: { l: '1' } })),
    ),
    scenario(
      'B apply',
      'by two managers, who own what both say',
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2' })),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { z: '3' })),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { x: '1', z: '3' })),
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { y: '2' })),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { z: '3' })),
    ),
    scenario(
      'B apply',
      'of what another owns is a conflict, one cause for each field',
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2', z: '3' })),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { x: '9', y: '9' })),
      apply(by(`${configMaps}/a`, 'three'), configMap('a', { z: '3' })),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { z: '9' })),
    ),
    scenario(
      'B apply',
      'by force takes what others own',
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2' })),
      apply(by(`${configMaps}/a`, 'two', '&force=true'), configMap('a', { x: '9', z: '3' })),
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1', y: '2' })),
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { y: '2' })),
    ),
    scenario(
      'B apply',
      'removes what is no longer applied',
      apply(`${configMaps}/a`, configMap('a', { x: '1', y: '2' }, { annotations: { n: '1' } })),
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      apply(`${configMaps}/a`, configMap('a')),
    ),
    scenario(
      'B apply',
      'and updates of others',
      create(configMaps, configMap('a', { x: '1', y: '2' })),
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      apply(`${configMaps}/a`, configMap('a', { y: '5' })),
      merge(by(`${configMaps}/a`, 'editor'), { data: { x: '7' } }),
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      merge(by(`${configMaps}/a`, 'editor'), { data: { x: null } }),
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
    ),
    scenario(
      'B apply',
      'by a manager that also updates',
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '1' })),
      merge(by(`${configMaps}/a`, 'one'), { data: { x: '2', y: '2' } }),
      apply(by(`${configMaps}/a`, 'one'), configMap('a', { x: '3' })),
      apply(by(`${configMaps}/a`, 'one', '&force=true'), configMap('a', { x: '3' })),
    ),
    scenario(
      'B apply',
      'without a manager, without a kind, of another name',
      patch('application/apply-patch+yaml', `${configMaps}/a`, configMap('a')),
      patch('application/apply-patch+yaml', `${configMaps}/a?fieldManager=`, configMap('a')),
      apply(`${configMaps}/a`, { metadata: { name: 'a' } }),
      apply(`${configMaps}/a`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }),
      apply(`${configMaps}/a`, configMap('b')),
      apply(`${configMaps}/a`, configMap('a', {}, { namespace: 'other' })),
      apply(`${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }),
      apply(`${configMaps}/a`, { apiVersion: 'v1', kind: 'ConfigMap' }),
    ),
    scenario(
      'B apply',
      'with options that it does not have',
      apply(by(`${configMaps}/a`, 'x'.repeat(129)), configMap('a')),
      apply(by(`${configMaps}/a`, 'one', '&force=perhaps'), configMap('a')),
      apply(by(`${configMaps}/a`, 'one', '&dryRun=Some'), configMap('a')),
      create(configMaps, configMap('b')),
      merge(`${configMaps}/b?force=true`, {}),
      merge(`${configMaps}/b?force=false`, {}),
      merge(`${configMaps}/b?fieldManager=${'x'.repeat(129)}`, {}),
    ),
    scenario(
      'B apply',
      'of text that is no object',
      apply(`${configMaps}/a`, 'a: [', { ignore: ['message'] }),
      apply(`${configMaps}/a`, '[]', { ignore: ['message'] }),
      apply(`${configMaps}/a`, '"text"', { ignore: ['message'] }),
      apply(`${configMaps}/a`, '', { ignore: ['message'] }),
    ),
    scenario(
      'B apply',
      'as YAML',
      apply(
        `${configMaps}/a`,
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: "1"\n  long: |\n    two\n    lines\n',
      ),
      apply(`${configMaps}/a`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: 1}\n', {
        ignore: ['message'],
      }),
    ),
    scenario(
      'B apply',
      'with managed fields, which only the server writes',
      apply(`${configMaps}/a`, configMap('a', {}, { managedFields: [] })),
      apply(`${configMaps}/a`, configMap('a', {}, { managedFields: [{ manager: 'me' }] })),
    ),
    scenario(
      'B apply',
      'with versions and identities',
      apply(`${configMaps}/a`, configMap('a', { x: '1' }, { resourceVersion: '1' })),
      apply(`${configMaps}/a`, configMap('a', { x: '1' }, { uid: OTHER_UID })),
      apply(`${configMaps}/a`, configMap('a', { x: '1' }), { as: 'a' }),
      apply(`${configMaps}/a`, configMap('a', { x: '2' }, { resourceVersion: '1' })),
      apply(
        `${configMaps}/a`,
        configMap('a', { x: '2' }, { resourceVersion: '{a.metadata.resourceVersion}' }),
      ),
      apply(`${configMaps}/a`, configMap('a', { x: '3' }, { uid: OTHER_UID })),
      apply(`${configMaps}/a`, configMap('a', { x: '3' }, { uid: '{a.metadata.uid}' })),
    ),
    scenario(
      'B apply',
      'that is only tried',
      apply(by(`${configMaps}/a`, 'one', '&dryRun=All'), configMap('a', { x: '1' })),
      get(`${configMaps}/a`),
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      apply(by(`${configMaps}/a`, 'two', '&dryRun=All&force=true'), configMap('a', { x: '2' })),
      get(`${configMaps}/a`),
    ),
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
    scenario(
      'B apply',
      'of a status',
      apply(`${widgets}/a/status`, { ...widget('a'), status: { phase: 'Done' } }),
      apply(`${widgets}/a`, { ...widget('a', { size: 2 }), status: { phase: 'Ignored' } }),
      apply(by(`${widgets}/a/status`, 'one'), {
        ...widget('a', { size: 9 }),
        status: { phase: 'Done' },
      }),
      apply(by(`${widgets}/a/status`, 'two'), { ...widget('a'), status: { phase: 'Other' } }),
      apply(by(`${widgets}/a/status`, 'two', '&force=true'), { ...widget('a'), status: { phase: 'Other' } }),
      apply(`${widgets}/a`, widget('a', { size: 2 })),
    ),
    scenario(
      'B apply',
      'of a native status',
      create(deployments, deployment('a')),
      apply(by(`${deployments}/a/status`, 'controller'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'a' },
        status: { replicas: 2, conditions: [{ type: 'Available', status: 'True' }] },
      }),
      apply(by(`${deployments}/a/status`, 'other'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'a' },
        status: { replicas: 3, conditions: [{ type: 'Progressing', status: 'True' }] },
      }),
    ),
    scenario(
      'B apply',
      'of a scale',
      create(deployments, deployment('a', { replicas: 1 })),
      apply(by(`${deployments}/a/scale`, 'scaler', '&force=true'), {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace: '{ns}' },
        spec: { replicas: 4 },
      }),
      get(`${deployments}/a`),
      apply(by(`${deployments}/a/scale`, 'other'), {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace: '{ns}' },
        spec: { replicas: 5 },
      }),
      apply(by(`${deployments}/a`, 'applier'), partial('a', { replicas: 2 })),
    ),
    scenario(
      'B apply',
      'of the scale of a custom kind',
      create(widgets, widget('a', { replicas: 1 })),
      apply(by(`${widgets}/a/scale`, 'scaler', '&force=true'), {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'a', namespace: '{ns}' },
        spec: { replicas: 4 },
      }),
    ),
    scenario(
      'B apply',
      'after the scale of a custom kind was changed',
      create(widgets, widget('a', { replicas: 1 })),
      merge(by(`${widgets}/a/scale`, 'scaler'), { spec: { replicas: 6 } }),
      get(`${widgets}/a`),
      apply(`${widgets}/a`, widget('a', { replicas: 2 })),
    ),
    scenario(
      'B apply',
      'of a kind without a status endpoint',
      apply(`${gadgets}/{ns}`, gadget('{ns}', { spec: { size: 1 }, status: { phase: 'Done' } })),
      apply(by(`${gadgets}/{ns}`, 'two'), gadget('{ns}', { status: { phase: 'Other' } })),
      remove(`${gadgets}/{ns}`),
    ),
    scenario(
      'B apply',
      'of metadata that can be owned',
      apply(
        `${configMaps}/a`,
        configMap(
          'a',
          {},
          {
            labels: { l: '1' },
            annotations: { n: '1' },
            finalizers: ['example.com/keep'],
            ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: OTHER_UID }],
          },
        ),
      ),
      apply(
        by(`${configMaps}/a`, 'two'),
        configMap(
          'a',
          {},
          {
            finalizers: ['example.com/more'],
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Pod', name: 'q', uid: '22222222-2222-3333-4444-555555555555' },
            ],
          },
        ),
      ),
      apply(`${configMaps}/a`, configMap('a')),
    ),
    scenario(
      'B apply',
      'of metadata that nobody owns',
      apply(
        `${configMaps}/a`,
        configMap(
          'a',
          {},
          {
            creationTimestamp: '2020-01-01T00:00:00Z',
            generation: 5,
            selfLink: '/x',
            deletionGracePeriodSeconds: 5,
            generateName: 'g-',
          },
        ),
      ),
      apply(`${configMaps}/a`, configMap('a', {}, { creationTimestamp: null })),
    ),
    scenario(
      'B apply',
      'to what was applied on the client’s side',
      create(
        by(configMaps, 'kubectl-client-side-apply'),
        configMap(
          'a',
          { x: '1', y: '2' },
          {
            annotations: {
              [LAST_APPLIED]:
                '{"apiVersion":"v1","data":{"x":"1","y":"2"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n',
            },
          },
        ),
      ),
      apply(by(`${configMaps}/a`, 'kubectl'), configMap('a', { x: '1', y: '3' })),
      apply(by(`${configMaps}/a`, 'kubectl'), configMap('a', { x: '1' })),
    ),
    scenario(
      'B apply',
      'to what was applied on the client’s side, by another manager',
      create(
        by(configMaps, 'kubectl-client-side-apply'),
        configMap(
          'a',
          { x: '1' },
          {
            annotations: {
              [LAST_APPLIED]:
                '{"apiVersion":"v1","data":{"x":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n',
            },
          },
        ),
      ),
      apply(by(`${configMaps}/a`, 'other'), configMap('a', { x: '2' })),
      apply(by(`${configMaps}/a`, 'kubectl'), configMap('a', { x: '2' })),
      apply(by(`${configMaps}/a`, 'other'), configMap('a', { y: '2' })),
    ),
    scenario(
      'B apply',
      'by kubectl keeps the annotation of its client-side apply',
      create(by(deployments, 'kubectl-client-side-apply'), {
        ...deployment('a', { replicas: 1 }),
        metadata: {
          name: 'a',
          annotations: { [LAST_APPLIED]: JSON.stringify(deployment('a', { replicas: 1 })) },
        },
      }),
      apply(by(`${deployments}/a`, 'kubectl'), deployment('a', { replicas: 3 })),
    ),
    scenario(
      'B apply',
      'to an object that nobody manages',
      create(configMaps, configMap('a', { x: '1', y: '1' }), { as: 'a' }),
      merge(`${configMaps}/a`, { metadata: { managedFields: [{}] } }),
      get(`${configMaps}/a`),
      apply(`${configMaps}/a`, configMap('a', { x: '2' })),
      apply(by(`${configMaps}/a`, 'one', '&force=true'), configMap('a', { x: '2' })),
    ),
    scenario(
      'B apply',
      'after managed fields were cleared or edited',
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      jsonPatch(`${configMaps}/a`, [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
      jsonPatch(`${configMaps}/a`, [
        {
          op: 'add',
          path: '/metadata/managedFields',
          value: [
            {
              manager: 'made-up',
              operation: 'Apply',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:x': {} } },
            },
          ],
        },
      ]),
      apply(`${configMaps}/a`, configMap('a', { x: '2' })),
      jsonPatch(`${configMaps}/a`, [
        { op: 'add', path: '/metadata/managedFields', value: [{ manager: 'bad', operation: 'Sing' }] },
      ]),
      jsonPatch(`${configMaps}/a`, [
        {
          op: 'add',
          path: '/metadata/managedFields',
          value: [{ manager: 'bad', operation: 'Apply', fieldsType: 'FieldsV9' }],
        },
      ]),
    ),
    scenario(
      'B apply',
      'after more than ten updaters',
      create(by(configMaps, 'm0'), configMap('a', { k0: '0' })),
      ...Array.from({ length: 12 }, (_, index) =>
        merge(
          by(`${configMaps}/a`, `m${index + 1}`),
          { data: { [`k${index + 1}`]: 'v' } },
          {
            show: ({ metadata }) => metadata.managedFields.map(({ manager }: any) => manager).sort(),
          },
        ),
      ),
      get(`${configMaps}/a`),
    ),
    timedScenario(
      'B apply',
      'moves times only with a change',
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      pass('1100ms'),
      apply(`${configMaps}/a`, configMap('a', { x: '1' })),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { x: '1' })),
      pass('1100ms'),
      apply(by(`${configMaps}/a`, 'two'), configMap('a', { x: '1', y: '2' })),
    ),
    scenario(
      'B apply',
      'and other ways to change what was applied',
      apply(`${deployments}/a`, deployment('a', { replicas: 1 })),
      merge(by(`${deployments}/a/scale`, 'scaler'), { spec: { replicas: 5 } }),
      apply(`${deployments}/a`, deployment('a', { replicas: 1 })),
      apply(`${deployments}/a`, deployment('a')),
      replace(by(`${deployments}/a`, 'replacer'), deployment('a', { replicas: 7 })),
    ),
    scenario(
      'B apply',
      'of a Secret and a Pod',
      apply(`${secrets}/a`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'a' },
        stringData: { password: 'x' },
      }),
      apply(`${secrets}/a`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'a' },
        stringData: { password: 'y' },
      }),
      apply(`${pods}/a`, pod('a')),
      apply(`${pods}/a`, pod('a', {}, { labels: { x: '1' } })),
    ),
    scenario(
      'B apply',
      'that makes what is invalid',
      apply(`${configMaps}/No_Name`, configMap('No_Name')),
      apply(`${configMaps}/a`, configMap('a', { 'bad key': 'x' })),
      apply(`${widgets}/a`, widget('a', { size: 1000 })),
      apply(`${deployments}/a`, partial('a', { replicas: 1 })),
    ),
    scenario(
      'B apply',
      'in a namespace that is not there',
      apply('/api/v1/namespaces/no-such-place/configmaps/a', configMap('a')),
    ),
  ],
  { definitions: [widgetDefinition, gadgetDefinition] },
)
