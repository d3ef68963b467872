import {
  configMap,
  configMaps,
  deployment,
  deployments,
  pod,
  pods,
  secrets,
  widget,
  widgets,
} from '../../objects.ts'
import { scenario, timedScenario, type Scenario } from '../../scenario.ts'
import { apply, create, get, jsonPatch, merge, pass, replace } from '../../steps.ts'
import { by, LAST_APPLIED, OTHER_UID, partial } from './applied-objects.ts'

/** The managed fields of metadata, of client-side apply and of other writes. */
export const managedFields: readonly Scenario[] = [
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
    'of metadata without an owner',
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
    'to an object without a manager',
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
]
