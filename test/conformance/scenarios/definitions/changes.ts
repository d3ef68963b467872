import { definition, definitions } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { create, get, merge, remove, replace } from '../../steps.ts'
import { brief, integer, object, path, served, spec, text, thing, things } from './thing.ts'

/** Definitions with several versions, refused ones, and changes of definitions. */
export const changes: readonly Scenario[] = [
  scenario(
    'B CRDs',
    'select by fields',
    ...served(
      thing(spec({ color: text, size: integer }), {
        version: { selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }] },
      }),
      create(things, object('a', { color: 'red', size: 1 })),
      create(things, object('b', { color: 'green' })),
      get(`${things}?fieldSelector=spec.color%3Dred`),
      get(`${things}?fieldSelector=spec.size%3D1`),
      get(`${things}?fieldSelector=spec.color!%3Dred`),
      get(`${things}?fieldSelector=spec.other%3Dred`),
    ),
  ),
  scenario(
    'B CRDs',
    'in several versions',
    ...served(
      thing(
        {},
        {
          spec: {
            versions: ['v1', 'v2'].map((name) => ({
              name,
              served: true,
              storage: name === 'v1',
              schema: {
                openAPIV3Schema: { type: 'object', properties: spec({ [`of${name}`]: text, both: text }) },
              },
            })),
          },
        },
      ),
      create(things, object('a', { ofv1: 'x', both: 'y' })),
      get('/apis/{ns}.example.com/v2/~/things/a'),
      create('/apis/{ns}.example.com/v2/~/things', {
        ...object('b', { ofv2: 'x', both: 'y' }),
        apiVersion: '{ns}.example.com/v2',
      }),
      get(`${things}/b`),
      get('/apis/{ns}.example.com', {
        show: ({ versions, preferredVersion }) => ({ versions, preferredVersion }),
      }),
      get('/apis/{ns}.example.com/v3/~/things'),
    ),
  ),
  scenario(
    'B CRDs',
    'that are refused',
    create(definitions, { ...thing({}), metadata: { name: 'other.{ns}.example.com' } }),
    create(definitions, thing(spec({ a: {} }))),
    create(definitions, thing(spec({ a: { type: 'strange' } }))),
    create(definitions, thing(spec({ a: { type: 'array' } }))),
    create(definitions, thing(spec({ a: { type: 'integer', default: 'x' } }))),
    create(definitions, thing({}, { spec: { scope: 'Everywhere' } })),
    create(definitions, thing({}, { spec: { versions: [] } })),
    create(definitions, thing({}, { version: { name: 'V_1' } })),
    // The message shows the versions as Go's structs.
    create(definitions, thing({}, { version: { storage: false } }), {
      ignore: ['message', 'details.causes.0.message'],
    }),
    create(definitions, thing({}, { version: { schema: undefined } })),
    create(definitions, thing({}, { spec: { names: { kind: 'thing', plural: 'Things' } } })),
  ),
  scenario(
    'B CRDs',
    'whose rules are refused',
    create(
      definitions,
      thing(spec({ a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >' }] } })),
      {
        ignore: ['message', 'details.causes'],
      },
    ),
    create(
      definitions,
      thing(spec({ a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self + 1' }] } })),
    ),
    create(
      definitions,
      thing(spec({ a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self.x == 1' }] } })),
      {
        ignore: ['message', 'details.causes'],
      },
    ),
    create(
      definitions,
      thing(
        spec({
          a: {
            type: 'array',
            items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.matches("a.*b")' }] },
            'x-kubernetes-validations': [{ rule: 'self.all(x, self.all(y, self.all(z, x == y)))' }],
          },
        }),
      ),
      { ignore: ['message', 'details.causes'] },
    ),
  ),
  scenario(
    'B CRDs',
    'that change',
    create(definitions, thing(spec({ a: integer })), {
      as: 'crd',
      show: ({ metadata }) => metadata.generation,
    }),
    get(things, { until: 200, show: ({ kind }) => kind }),
    merge(path, { spec: { scope: 'Cluster' } }),
    merge(path, { spec: { names: { kind: 'Other' } } }),
    merge(path, { spec: { group: 'other.example.com' } }),
    merge(
      path,
      { spec: { names: { shortNames: ['th'] } } },
      { show: ({ spec, metadata }) => [spec.names, metadata.generation] },
    ),
    merge(path, { status: { storedVersions: [] } }, { show: ({ status }) => status.storedVersions }),
    merge(`${path}/status`, { status: { storedVersions: [] } }, { ignore: ['metadata'] }),
    replace(path, thing(spec({ a: integer }))),
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
  ),
  scenario(
    'B CRDs',
    'whose names are taken',
    create(definitions, thing({}), brief),
    get(things, { until: 200, show: ({ kind }) => kind }),
    create(
      definitions,
      {
        ...definition(
          'Thing',
          {},
          {
            spec: {
              group: '{ns}.example.com',
              names: { kind: 'Thing', plural: 'thingies', singular: 'thingy' },
            },
          },
        ),
        metadata: { name: 'thingies.{ns}.example.com' },
      },
      brief,
    ),
    { step: 'pass', duration: '700ms' },
    get(`${definitions}/thingies.{ns}.example.com`, { show: ({ status }) => status }),
    remove(`${definitions}/thingies.{ns}.example.com`, undefined, { show: ({ kind }) => kind }),
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
  ),
  scenario(
    'B CRDs',
    'that finalizers of their objects hold',
    create(definitions, thing(spec({ a: integer })), brief),
    get(things, { until: 200, show: ({ kind }) => kind }),
    create(things, { ...object('a', {}), metadata: { name: 'a', finalizers: ['example.com/keep'] } }, brief),
    remove(path, undefined, { show: ({ metadata }) => metadata.finalizers }),
    { step: 'pass', duration: '1s' },
    get(path, {
      show: ({ status }) =>
        status.conditions.map(({ type, status, reason }: any) => [type, status, reason]).toSorted(),
    }),
    create(things, object('b', {})),
    merge(`${things}/a`, { metadata: { finalizers: null } }, brief),
    get(path, { until: 404 }),
  ),
]
