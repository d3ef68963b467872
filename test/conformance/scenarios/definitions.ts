import { definition, definitions } from '../objects.ts'
import { scenario, topic, type Step } from '../scenario.ts'
import { apply, create, get, jsonPatch, merge, remove, replace } from '../steps.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const things = '/apis/{ns}.example.com/v1/~/things'

/** A definition of the kind Thing in a group of the scenario's own. */
function thing(schema: object, more: { spec?: object; version?: object } = {}) {
  return definition(
    'Thing',
    schema as Record<string, unknown>,
    {
      ...more,
      spec: { group: '{ns}.example.com', ...more.spec },
    } as never,
  )
}

const spec = (properties: object, more: object = {}) => ({ spec: { type: 'object', properties, ...more } })
const object = (name: string, spec: unknown, more: object = {}) => ({
  apiVersion: '{ns}.example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
  ...more,
})

const path = `${definitions}/things.{ns}.example.com`
const brief = { show: ({ metadata }: any) => metadata.name }

/** Installs a definition, waits until it is served, plays the steps and removes it. */
function served(crd: object, ...steps: Step[]): Step[] {
  return [
    create(definitions, crd, brief),
    get(things, { until: 200, show: ({ kind }) => kind }),
    { step: 'pass', duration: '700ms' },
    ...steps,
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
  ]
}

/** CustomResourceDefinitions, and the objects of the kinds that they define. */
export const definitionTopic = topic('definitions', [
  scenario(
    'B CRDs',
    'become established, and are served',
    // A real server writes the status a moment later.
    create(definitions, thing(spec({ size: integer })), { ignore: ['status', 'metadata.resourceVersion'] }),
    get(things, { until: 200, ignore: ['metadata.resourceVersion'] }),
    get(path, {
      ignore: ['metadata.managedFields', 'metadata.generation', 'metadata.resourceVersion'],
    }),
    create(things, object('a', { size: 1 })),
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
    get(things, { until: 404 }),
  ),
  scenario(
    'B CRDs',
    'take their objects with them',
    ...served(thing(spec({ size: integer })), create(things, object('a', { size: 1 }))),
    create(definitions, thing(spec({ size: integer })), brief),
    get(things, { until: 200, show: ({ items }) => items }),
    remove(path, undefined, { show: ({ kind }) => kind }),
    get(path, { until: 404 }),
  ),
  scenario(
    'B CRDs',
    'default a whole status from the creation on',
    ...served(
      thing(
        {
          ...spec({ size: { ...integer, default: 3 } }, { default: {} }),
          status: {
            type: 'object',
            properties: { observedGeneration: integer, phase: { ...text, default: 'Pending' } },
            default: { observedGeneration: -1 },
          },
        },
        { version: { subresources: { status: {} } } },
      ),
      create(`${things}?dryRun=All`, object('a', undefined)),
      create(things, { ...object('a', undefined), status: { observedGeneration: 7 } }),
      get(`${things}/a`),
      merge(`${things}/a`, { metadata: { labels: { x: '1' } } }),
      merge(`${things}/a/status`, { status: { observedGeneration: 1 } }),
      merge(`${things}/a`, { spec: { size: 4 }, status: null }),
      merge(`${things}/a/status`, { status: null }),
      replace(`${things}/a`, object('a', { size: 5 }, { metadata: { name: 'a', resourceVersion: '' } })),
      apply(`${things}/b`, object('b', { size: 1 })),
      apply(`${things}/b/status?fieldManager=two`, { ...object('b', undefined), status: { phase: 'Ready' } }),
      get(`${things}/b`),
    ),
  ),
  scenario(
    'B CRDs',
    'prune what their schema does not know',
    ...served(
      thing(spec({ known: text, nested: { type: 'object', properties: { a: text } } })),
      create(things, object('a', { known: 'x', unknown: 'y', nested: { a: '1', b: '2' } }, { top: 1 })),
      merge(`${things}/a`, { spec: { other: 1 } }),
    ),
  ),
  scenario(
    'B CRDs',
    'keep unknown fields where they should',
    ...served(
      thing(
        spec({
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          some: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { a: { type: 'object', properties: { b: text } } },
          },
          free: { 'x-kubernetes-preserve-unknown-fields': true },
        }),
      ),
      create(
        things,
        object('a', { any: { x: { y: 1 } }, some: { a: { b: '1', c: '2' }, d: 1 }, free: [1, 'x'] }),
      ),
      create(things, object('b', { free: 'text' })),
    ),
  ),
  scenario(
    'B CRDs',
    'fill in defaults',
    ...served(
      thing({
        spec: {
          type: 'object',
          default: {},
          properties: {
            size: { type: 'integer', default: 3 },
            deep: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'x' } } },
            list: {
              type: 'array',
              items: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
            },
            none: { type: 'string', nullable: true, default: 'd' },
          },
        },
      }),
      create(things, { apiVersion: '{ns}.example.com/v1', kind: 'Thing', metadata: { name: 'a' } }),
      create(things, object('b', { list: [{}, { n: 5 }], none: null, size: null })),
      merge(`${things}/b`, { spec: { size: null } }),
    ),
  ),
  scenario(
    'B CRDs',
    'fill in defaults on reading what is older',
    ...served(
      thing(spec({ size: integer })),
      create(things, object('a', {})),
      jsonPatch(
        path,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color',
            value: { type: 'string', default: 'red' },
          },
        ],
        brief,
      ),
      { step: 'pass', duration: '1500ms' },
      get(`${things}/a`),
      merge(`${things}/a`, { spec: { size: 2 } }),
    ),
  ),
  scenario(
    'B CRDs',
    'hold values to their schema',
    ...served(
      thing(
        spec({
          number: { type: 'integer', minimum: 1, maximum: 10, multipleOf: 2 },
          more: { type: 'number', exclusiveMinimum: true, minimum: 0 },
          text: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
          choice: { type: 'string', enum: ['a', 'b'] },
          list: { type: 'array', minItems: 1, maxItems: 2, items: text },
          map: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: integer },
          flag: { type: 'boolean' },
        }),
      ),
      create(things, object('a', { number: 11 })),
      create(things, object('a', { number: 3 })),
      create(things, object('a', { more: 0 })),
      create(things, object('a', { text: 'A' })),
      create(things, object('a', { text: 'abcde' })),
      create(things, object('a', { choice: 'c' })),
      create(things, object('a', { list: [] })),
      create(things, object('a', { list: ['1', '2', '3'] })),
      create(things, object('a', { map: {} })),
      create(things, object('a', { map: { a: 1, b: 'x' } })),
      create(things, object('a', { flag: 'yes' })),
      create(things, object('a', { number: null })),
      create(
        things,
        object('a', {
          number: 4,
          more: 0.5,
          text: 'abc',
          choice: 'b',
          list: ['1'],
          map: { a: 1 },
          flag: true,
        }),
      ),
    ),
  ),
  scenario(
    'B CRDs',
    'hold values to combined schemas',
    ...served(
      thing(
        spec(
          { a: integer, b: integer, c: integer },
          {
            required: ['a'],
            oneOf: [{ required: ['b'] }, { required: ['c'] }],
            not: { properties: { a: { enum: [13] } } },
          },
        ),
      ),
      create(things, object('a', { a: 1 })),
      create(things, object('a', { a: 1, b: 1, c: 1 })),
      create(things, object('a', { a: 13, b: 1 })),
      create(things, object('a', { b: 1 })),
      create(things, object('a', { a: 1, b: 1 })),
    ),
  ),
  scenario(
    'B CRDs',
    'know formats',
    ...served(
      thing(
        spec({
          when: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          how: { type: 'string', format: 'duration' },
          ip: { type: 'string', format: 'ipv4' },
          id: { type: 'string', format: 'uuid' },
          link: { type: 'string', format: 'uri' },
          mail: { type: 'string', format: 'email' },
          bytes: { type: 'string', format: 'byte' },
          odd: { type: 'string', format: 'unheard-of' },
          small: { type: 'integer', format: 'int32' },
        }),
      ),
      create(things, object('a', { when: 'now' })),
      create(things, object('a', { day: '2020-13-01' })),
      create(things, object('a', { how: '5 years' })),
      create(things, object('a', { ip: '1.2.3' })),
      create(things, object('a', { id: 'x' })),
      create(things, object('a', { mail: 'x' })),
      create(things, object('a', { bytes: '!' })),
      create(things, object('a', { small: 3000000000 })),
      create(
        things,
        object('a', {
          when: '2020-01-01T00:00:00Z',
          day: '2020-01-01',
          how: '5m',
          ip: '1.2.3.4',
          odd: 'x',
          link: 'http://a/b',
        }),
      ),
    ),
  ),
  scenario(
    'B CRDs',
    'know lists by their type',
    ...served(
      thing(
        spec({
          set: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
          map: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['a', 'b'],
            items: {
              type: 'object',
              required: ['a'],
              properties: { a: text, b: { type: 'string', default: 'x' }, c: text },
            },
          },
        }),
      ),
      create(things, object('a', { set: ['x', 'x'] })),
      create(things, object('a', { map: [{ a: '1' }, { a: '1' }] })),
      create(things, object('a', { map: [{ b: '1' }] })),
      create(things, object('a', { map: [{ a: '1' }, { a: '1', b: 'y' }] })),
      apply(`${things}/a`, object('a', { map: [{ a: '1', c: 'z' }] })),
      apply(`${things}/a?fieldManager=one&force=true`, object('a', { map: [{ a: '1', c: 'z' }] })),
    ),
  ),
  scenario(
    'B CRDs',
    'know numbers that may be text',
    ...served(
      thing(spec({ port: { 'x-kubernetes-int-or-string': true } })),
      create(things, object('a', { port: 80 })),
      create(things, object('b', { port: 'http' })),
      create(things, object('c', { port: 1.5 })),
      create(things, object('c', { port: true })),
    ),
  ),
  scenario(
    'B CRDs',
    'know objects inside of objects',
    ...served(
      thing(
        spec({
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        }),
      ),
      create(
        things,
        object('a', {
          template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', odd: 1 }, spec: { a: 1 } },
        }),
      ),
      create(things, object('b', { template: { spec: {} } })),
      create(
        things,
        object('b', {
          template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'No_Name', labels: { 'a b': 'c' } } },
        }),
      ),
    ),
  ),
  scenario(
    'B CRDs',
    'hold values to rules',
    ...served(
      thing(
        spec(
          { min: integer, max: integer, name: text, list: { type: 'array', maxItems: 10, items: text } },
          {
            'x-kubernetes-validations': [
              { rule: 'self.min <= self.max', message: 'min must not exceed max' },
              {
                rule: '!has(self.name) || self.name.startsWith("x-")',
                messageExpression: '"the name " + self.name + " does not begin with x-"',
                fieldPath: '.name',
                reason: 'FieldValueForbidden',
              },
              { rule: '!has(self.list) || self.list.all(one, one.size() < 5)' },
            ],
          },
        ),
      ),
      create(things, object('a', { min: 2, max: 1 })),
      create(things, object('a', { min: 1, max: 2, name: 'y' })),
      create(things, object('a', { min: 1, max: 2, list: ['short', 'too long'] })),
      create(things, object('a', { min: 1 })),
      create(things, object('a', { min: 1, max: 2, name: 'x-y', list: ['a'] })),
    ),
  ),
  scenario(
    'B CRDs',
    'hold changes to rules',
    ...served(
      thing(
        spec({
          fixed: {
            type: 'string',
            'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }],
          },
          rising: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] },
        }),
      ),
      create(things, object('a', { fixed: 'x', rising: 5 })),
      merge(`${things}/a`, { spec: { fixed: 'y' } }),
      merge(`${things}/a`, { spec: { rising: 4 } }),
      merge(`${things}/a`, { spec: { rising: 6 } }),
      merge(`${things}/a`, { spec: { fixed: null } }),
    ),
  ),
  scenario(
    'B CRDs',
    'tolerate what was there before a rule',
    ...served(
      thing(spec({ size: integer, name: text })),
      create(things, object('a', { size: 50, name: 'x' })),
      jsonPatch(
        path,
        [
          {
            op: 'add',
            path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/maximum',
            value: 10,
          },
        ],
        brief,
      ),
      { step: 'pass', duration: '1500ms' },
      merge(`${things}/a`, { spec: { name: 'y' } }),
      merge(`${things}/a`, { spec: { size: 60 } }),
      create(things, object('b', { size: 50 })),
    ),
  ),
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
])
