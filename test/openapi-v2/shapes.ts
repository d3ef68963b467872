/** The parts of a definition of one shape besides the schema's type, and the parts around the schema. */
export interface Shape {
  readonly schema: Readonly<Record<string, unknown>>
  readonly kind?: string
  readonly scope?: 'Cluster'
  readonly subresources?: object
  readonly selectableFields?: readonly object[]
}

export const GROUP = 'shapes.example.com'

const text = { type: 'string' }
const open = { 'x-kubernetes-preserve-unknown-fields': true }
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true }
const intOrString = { 'x-kubernetes-int-or-string': true }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more })
const properties = (named: object, more: object = {}): Shape => ({ schema: { properties: named, ...more } })

/** Schemas of custom kinds with all that OpenAPI v2 cannot say, or says in another way, by the singular of the kind. */
export const shapes: Readonly<Record<string, Shape>> = {
  plain: properties({
    spec: object(
      {
        size: { type: 'integer', format: 'int32', minimum: 1, maximum: 10, default: 3 },
        name: { type: 'string', pattern: '^a.*', maxLength: 10, minLength: 1 },
      },
      { required: ['size'] },
    ),
  }),
  empty: { schema: {} },
  rootpreserve: properties({ spec: object({ a: text }) }, open),
  preserve: properties({ spec: object({ a: text }, { ...open, required: ['a'] }), any: open }),
  arraypreserve: properties({ l: list({ type: 'object', ...open }, open), m: list(open) }),
  embedded: properties({
    template: { ...embedded, properties: { spec: { type: 'object' } }, required: ['spec'] },
    open: { ...embedded, ...open },
  }),
  embeddednull: properties({
    a: { ...embedded, nullable: true, properties: { spec: { type: 'object' } } },
  }),
  intorstring: properties({
    port: { ...intOrString, description: 'a port' },
    other: { ...intOrString, anyOf: [{ type: 'integer' }, text], pattern: 'x' },
  }),
  nullable: properties(
    {
      a: { ...text, nullable: true },
      b: text,
      c: object({ x: text }, { nullable: true, required: ['x'] }),
      d: list(text, { nullable: true }),
      e: { type: 'object', additionalProperties: { ...text, nullable: true } },
    },
    { required: ['a', 'b'] },
  ),
  nestednull: properties({
    spec: object(
      {
        a: { ...embedded, ...open, nullable: true },
        n: object({ p: { ...text, nullable: true } }, { required: ['p'] }),
      },
      { required: ['a', 'n'] },
    ),
  }),
  map: properties({
    labels: { type: 'object', additionalProperties: text },
    deep: { type: 'object', additionalProperties: list(object({ k: { type: 'boolean' } })) },
    yes: { type: 'object', additionalProperties: true },
  }),
  list: properties({
    set: list(text, { 'x-kubernetes-list-type': 'set' }),
    map: list(
      object({ name: text, port: { type: 'integer', format: 'int64' } }, { required: ['name', 'port'] }),
      {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'port'],
      },
    ),
    atomic: object({ z: text, a: text }, { 'x-kubernetes-map-type': 'atomic' }),
  }),
  rule: properties({
    spec: object(
      { a: { type: 'integer' }, b: { type: 'integer' } },
      {
        'x-kubernetes-validations': [
          {
            rule: 'self.a <= self.b',
            message: 'a: must not exceed "b"',
            fieldPath: '.a',
            reason: 'FieldValueInvalid',
          },
          { rule: 'has(self.a)', messageExpression: "'x'+'y'" },
        ],
      },
    ),
  }),
  enum: properties({
    e: { ...text, enum: ['A', 'b c', 'true', '1', '', 'x: y'] },
    n: { type: 'integer', enum: [1, 2, 3] },
    f: { type: 'number', enum: [1.5, 2] },
    o: { type: 'object', enum: [{ a: 'b' }], ...open },
  }),
  number: properties({
    a: {
      type: 'number',
      format: 'double',
      minimum: 0.5,
      maximum: 1e6,
      exclusiveMinimum: true,
      exclusiveMaximum: true,
      multipleOf: 0.5,
    },
    b: { type: 'integer', minimum: -5, maximum: 0 },
    c: list({ ...text, format: 'date-time' }, { minItems: 1, maxItems: 3 }),
    d: { type: 'object', minProperties: 1, maxProperties: 2, additionalProperties: text },
  }),
  alternative: properties({
    spec: object(
      { a: { ...text, oneOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }, b: text, c: text },
      {
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
        anyOf: [{ required: ['a'] }],
        allOf: [{ required: ['a'] }],
        not: { required: ['c'] },
      },
    ),
  }),
  described: properties(
    {
      spec: object(
        { z: { ...text, description: 'z', example: 'q' }, a: { ...text, default: 'x' } },
        {
          title: 'A title',
          description: 'äöü 日本',
          example: { a: 1 },
          externalDocs: { url: 'https://docs.example.com', description: 'd' },
        },
      ),
    },
    { description: 'Described is <a> & "b"\nnext line' },
  ),
  metadatum: {
    ...properties({
      metadata: object({ name: { ...text, maxLength: 10 } }),
      status: object({ conditions: list(object({ type: text })) }),
    }),
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  },
  selectable: {
    ...properties({ spec: object({ color: text, host: text }) }),
    selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.host' }],
  },
  format: properties(
    Object.fromEntries(
      ['date', 'date-time', 'byte', 'password', 'uuid', 'ipv4', 'hostname', 'duration'].map((format) => [
        format.replace('-', ''),
        { ...text, format },
      ]),
    ),
  ),
  clusterscoped: {
    ...properties({ spec: object({ a: list(text) }, { 'x-kubernetes-map-type': 'granular' }) }),
    scope: 'Cluster',
  },
  pluralkind: { ...properties({ spec: { type: 'object' } }), kind: 'ABThings' },
  vowel: { ...properties({ spec: { type: 'object' } }), kind: 'Apple' },
}

/** The definition of a shape, in a version with its schema and in one that keeps all fields. */
export function shapeDefinition(name: string, shape: Shape): object {
  const { schema, kind = name.charAt(0).toUpperCase() + name.slice(1), scope = 'Namespaced', ...more } = shape
  const plural = `${name}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { plural, singular: name, kind, listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', ...schema } },
          ...more,
        },
        {
          name: 'v1beta1',
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { type: 'object', ...open } },
        },
      ],
    },
  }
}
