import type { FuzzCase } from '../fuzz-case.ts'
import type { Tree, TreeObject } from '../json-tree.ts'
import { create, DEFINITIONS, found } from './found-case.ts'

const names = { plural: 'devices', singular: 'device', kind: 'Device', listKind: 'DeviceList' }
const version = { name: 'v1', served: true, storage: true }
const valid = { type: 'object', properties: { a: { type: 'integer' } } }

/** Definitions with several mistakes at once. */
export function definitions(): FuzzCase[] {
  return [
    defined('versions of a definition', ...versions().map((list) => ({ versions: list }))),
    defined('schemas of a definition', ...schemas().map((schema) => ({ versions: [withSchema(schema)] }))),
    defined(
      'webhooks without content',
      ...[{}, { conversionReviewVersions: null }, { clientConfig: {} }].map((webhook) => ({
        versions: [withSchema(valid)],
        conversion: { strategy: 'None', webhook },
      })),
    ),
    defined('rules of a definition with a sign before nothing', {
      versions: [withSchema({ ...valid, 'x-kubernetes-validations': SIGNS.map((rule) => ({ rule })) })],
    }),
    defined('unknown fields of a definition', ...preserving()),
    defined('unknown fields of schemas', ...withUnknownFields()),
    defined('names of a definition', {
      names: { ...names, shortNames: ['', 'A'], categories: ['', 'a'] },
      versions: [withSchema(valid)],
    }),
  ]
}

/** Rules in which no operand follows a sign. */
const SIGNS = [
  '-',
  '--',
  '- -',
  '-)',
  '-*2',
  '- ==1',
  '-&&true',
  '1 + -',
  'a - -',
  '(-)',
  '[-]',
  'f(-)',
  '-!',
  '!-',
].concat(['!', '!!', '!)', '-true', '!1', '-x', '- - 1'])

function defined(what: string, ...specs: readonly TreeObject[]): FuzzCase {
  const metadata = { name: 'devices.found.example.com' }
  const requests = specs.map((spec) =>
    create(DEFINITIONS, {
      metadata,
      spec: { group: 'found.example.com', names, scope: 'Namespaced', ...spec },
    }),
  )
  return found('apiextensions.k8s.io/v1 CustomResourceDefinition', what, ...requests)
}

function withSchema(openAPIV3Schema: Tree, more: TreeObject = {}): TreeObject {
  return { ...version, schema: { openAPIV3Schema }, ...more }
}

function versions(): Tree[] {
  const fields = [{ jsonPath: '.a' }, { jsonPath: 'x' }]
  const v2 = { ...version, name: 'v2' }
  return [
    null,
    [],
    [{}],
    [version],
    [withSchema(valid), withSchema(valid)],
    [withSchema(valid), { ...withSchema(valid), name: 'v2' }, { ...withSchema(valid), name: 'v3' }],
    [{ ...version, selectableFields: fields }],
    [{ ...version, schema: {}, selectableFields: fields }],
    [
      { ...version, selectableFields: fields },
      { ...v2, storage: false },
    ],
    [
      withSchema({ ...valid, description: 'first' }, { selectableFields: [{ jsonPath: '.a' }] }),
      { ...withSchema(valid, { selectableFields: [{ jsonPath: '.a' }] }), name: 'v2', storage: false },
    ],
    [withSchema(valid, { selectableFields: fields }), { ...v2, storage: false, selectableFields: [] }],
    // Versions that share a schema, but not the fields.
    [
      withSchema(valid, { selectableFields: [{ jsonPath: '.a' }] }),
      { ...withSchema(valid), name: 'v2', storage: false },
    ],
    [
      withSchema({ ...valid, dependencies: {} }, { selectableFields: fields }),
      { ...withSchema({ ...valid, dependencies: {} }), name: 'v2', storage: false },
    ],
    ...unreadable().map((schema) => [withSchema(schema, { selectableFields: [{}, { jsonPath: 'x' }] })]),
    [
      withSchema({ $ref: 'a' }, { selectableFields: [{}] }),
      {
        ...withSchema({ id: 'a', $schema: 'b' }, { selectableFields: [{}, {}] }),
        name: 'v2',
        storage: false,
      },
    ],
  ]
}

/** Schemas that Kubernetes cannot read as structural ones. */
function unreadable(): TreeObject[] {
  const rules = [{ rule: 'self.b == 1' }]
  const paths = [{ rule: 'true', fieldPath: 'a' }]
  return [
    { $ref: 'a' },
    { id: 'a' },
    { $schema: 'a' },
    { type: 'object', patternProperties: { a: { type: 'string' } } },
    { type: 'object', dependencies: { a: ['b'] } },
    { type: 'object', additionalItems: false },
    { type: 'object', definitions: { a: { type: 'string' } } },
    { type: 'object', definitions: {}, dependencies: {}, patternProperties: {}, properties: { a: {} } },
    { type: 'object', properties: { a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } } },
    { type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }] } } },
    { type: 'object', properties: { a: { type: 'object', not: { $schema: 'a' } } } },
    { type: 'object', properties: { a: { type: 'object', $ref: 'a', 'x-kubernetes-validations': rules } } },
    { type: 'object', properties: { a: { type: 'string', id: 'a' } }, 'x-kubernetes-validations': paths },
  ]
}

function schemas(): TreeObject[] {
  const property = (a: Tree): TreeObject => ({ type: 'object', properties: { a } })
  return [
    property({ type: null }),
    property({ type: '' }),
    property({ type: 'null' }),
    property({ type: 'X', default: 1 }),
    property({ type: 'null', default: 1, minimum: 2 }),
    property({ type: 'X', default: 1, enum: [2] }),
    property({ type: 'array', items: { type: null } }),
    property({ type: 'array', items: [{ type: 'X' }, { $ref: 'a' }] }),
    property({ type: 'array', items: [] }),
    property({ type: 'integer', items: [] }),
    property({ type: 'string', uniqueItems: true, default: 1 }),
    {
      type: 'object',
      definitions: {
        a: { type: 'X', id: 'b', 'x-kubernetes-list-type': 'y', 'x-kubernetes-list-map-keys': ['k'] },
      },
    },
    property({ type: 'null', default: 1, 'x-kubernetes-preserve-unknown-fields': false }),
    { type: 'X', 'x-kubernetes-preserve-unknown-fields': false },
    property({ type: 'integer', default: 1, anyOf: [{ default: false, multipleOf: -1 }] }),
    property({ type: 'integer', not: { default: null, 'x-kubernetes-list-type': '', title: '' } }),
    { type: 'object', dependencies: { a: { type: 'X' }, b: ['c'] } },
    ...unreadable(),
    { anyOf: [{ properties: { 'key-0': {} } }] },
    {
      type: 'object',
      properties: {
        a: { type: 'object', anyOf: [{ properties: { b: {} } }] },
        l: { type: 'array', items: { type: 'string' } },
      },
      not: { properties: { a: { properties: { b: {} } }, l: { items: { minLength: 1 } }, c: { items: {} } } },
      allOf: [{ items: {} }, { anyOf: [{ properties: { a: {}, d: {} } }] }],
      oneOf: [{ properties: { a: { additionalProperties: { properties: { x: {} } } } } }],
    },
    property({ type: 'object', not: { additionalProperties: false } }),
    property({ type: 'object', not: { additionalProperties: true } }),
    property({ type: 'object', not: { additionalProperties: {} } }),
    property({ type: 'X', default: 1, minimum: 1.5e300 }),
  ]
}

/** Schemas with fields that no schema has. Kubernetes does not report those below `items` and its like. */
function withUnknownFields(): TreeObject[] {
  const unknown: TreeObject = { type: 'object', ' ': 'a', foo: { bar: 1 }, Type: 'string' }
  const nested: TreeObject = {
    type: 'object',
    foo: 1,
    properties: { a: unknown, b: { type: 'array', items: unknown } },
  }
  const parts: TreeObject[] = [
    unknown,
    { type: 'object', properties: { a: unknown } },
    { type: 'object', properties: { a: { type: 'array', items: unknown } } },
    { type: 'object', properties: { a: { type: 'array', items: nested } } },
    { type: 'object', properties: { a: { type: 'array', items: [unknown, 'b'] } } },
    { type: 'object', properties: { a: { type: 'object', additionalProperties: unknown } } },
    { type: 'object', properties: { a: { type: 'object', additionalProperties: nested } } },
    { type: 'object', properties: { a: { type: 'array', items: { type: 'object', not: unknown } } } },
    { type: 'object', additionalItems: unknown },
    { type: 'object', dependencies: { a: unknown, b: ['c'] } },
    { type: 'object', definitions: { a: unknown } },
    { type: 'object', not: unknown },
    { type: 'object', allOf: [unknown] },
  ]
  return parts.map((schema) => ({ versions: [withSchema(schema)] }))
}

/** Keywords without an effect, some of which count as given. */
const AT_ROOT: readonly TreeObject[] = [
  { additionalProperties: false },
  { additionalProperties: true },
  { additionalItems: false },
  { additionalItems: true },
  { $ref: '' },
  { 'x-kubernetes-preserve-unknown-fields': false },
  { 'x-kubernetes-embedded-resource': false },
  { 'x-kubernetes-int-or-string': false },
  { nullable: false },
  { minProperties: 0 },
  { default: null },
  { not: {} },
  { id: '' },
  { $schema: '' },
]

function preserving(): TreeObject[] {
  const preserveUnknownFields = true
  const status = { subresources: { status: {} } }
  const webhook = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a' } },
  }
  return [
    { preserveUnknownFields, versions: [withSchema(valid)] },
    { preserveUnknownFields, versions: [withSchema({ type: 'object', properties: { a: {} } })] },
    { preserveUnknownFields, versions: [withSchema({ properties: { a: { default: 1 } } })] },
    {
      preserveUnknownFields,
      versions: [withSchema({ properties: { a: { 'x-kubernetes-int-or-string': true } } })],
    },
    { preserveUnknownFields, versions: [withSchema(valid)], conversion: webhook },
    { preserveUnknownFields, versions: [version], conversion: { strategy: 'X' } },
    { versions: [withSchema({ type: 'string' }, status)] },
    { versions: [withSchema({ type: 'string', id: 'a' }, status)] },
    { versions: [withSchema({ type: 'string', nullable: true, maxProperties: 1 }, status)] },
    { versions: [withSchema({ type: 'object', maxProperties: 1 }, status)] },
    { versions: [withSchema({ default: false }, status)] },
    { versions: [withSchema({ $schema: 'a' }, status)] },
    { versions: [withSchema({ type: 'object', 'x-kubernetes-map-type': '' }, status)] },
    ...AT_ROOT.map((part) => ({ versions: [withSchema({ type: 'object', ...part }, status)] })),
  ]
}
