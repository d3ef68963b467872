import { describe, expect, test } from 'vitest'
import { QUANTITY } from '../schema/schema-builder.ts'
import type { StructuralSchema } from '../schema/structural.ts'
import type { CustomResourceDefinitionSource } from './kind-from-crd.ts'
import { printKind } from './print-kind.ts'
import { printSchema } from './print-schema.ts'

const size: StructuralSchema = {
  type: 'integer',
  format: 'int32',
  minimum: 0,
  exclusiveMinimum: true,
  default: 1,
}

/** One of everything that the builder has a method for. */
const spec: StructuralSchema = {
  type: 'object',
  description: "What it's for.",
  required: ['name', 'color', 'ports', 'template'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]\\d"$', minLength: 1, maxLength: 9, title: 'Name' },
    size,
    ratio: { type: 'number', maximum: 1, multipleOf: 0.25, nullable: true },
    'dashed-key': { type: 'boolean', 'x-kubernetes-validations': [{ rule: 'self' }] },
    color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
    weight: { type: 'integer', enum: [1, 2] },
    at: { type: 'string', format: 'date-time' },
    address: { type: 'string', format: 'ipv4' },
    share: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: '%$',
    },
    memory: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      pattern: QUANTITY,
    },
    labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 3 },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 5 },
    ports: {
      type: 'array',
      minItems: 1,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'protocol'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          protocol: { type: 'string', default: 'TCP' },
          port: { type: 'integer' },
        },
      },
    },
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    raw: { 'x-kubernetes-preserve-unknown-fields': true },
    open: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-map-type': 'atomic',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    odd: { type: 'boolean', enum: [true] },
  },
  'x-kubernetes-validations': [
    { rule: 'self == oldSelf', message: 'value is immutable' },
    { rule: 'self.size > 0', message: 'too small', reason: 'FieldValueInvalid', fieldPath: '.size' },
  ],
}

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      description: 'A thing.',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec:
          name === 'v1'
            ? spec
            : { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
        status: { type: 'object', properties: { size: { type: 'integer' } } },
      },
      ...(storage ? { 'x-kubernetes-validations': [{ rule: "self.metadata.name != 'x'" }] } : {}),
    },
  },
  subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 }],
  ...(storage
    ? { selectableFields: [{ jsonPath: '.spec.size' }] }
    : { deprecated: true, deprecationWarning: 'use v1' }),
})

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'stuff.example.com',
    labels: { app: 'things' },
    annotations: {
      'cert-manager.io/inject-ca-from': 'a/b',
      'controller-gen.kubebuilder.io/version': 'v0.20.0',
    },
  },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: {
      kind: 'Thing',
      listKind: 'ThingList',
      plural: 'stuff',
      singular: 'thing',
      shortNames: ['th'],
      categories: ['all'],
    },
    versions: [version('v1beta1', false), version('v1', true)],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { name: 'convert', namespace: 'things' } },
        conversionReviewVersions: ['v1'],
      },
    },
  },
}

/** The same definition with other root schemas for its stored version. */
function withRoot(root: object, subresources: object = {}): CustomResourceDefinitionSource {
  const versions = [{ ...version('v1', true), schema: { openAPIV3Schema: root }, subresources }]
  return { ...definition, spec: { ...definition.spec, versions } }
}

describe('A printed kind', () => {
  test('is source that compiles: the golden file is checked with all other code', async () => {
    await expect(printKind(definition, { from: './homeostat.ts' })).toMatchFileSnapshot(
      'expected/printed-kind.ts',
    )
  })

  test('gives the same definition, without the annotations of tools', async () => {
    const printed = await import('./expected/printed-kind.ts')
    const { 'controller-gen.kubebuilder.io/version': _, ...annotations } = definition.metadata.annotations
    expect(printed.thingDefinition).toEqual({
      ...definition,
      metadata: { ...definition.metadata, annotations },
    })
  })

  test('has the plain name in the version that a server prefers', async () => {
    const printed = await import('./expected/printed-kind.ts')
    expect([printed.Thing.version, printed.ThingV1Beta1.version]).toEqual(['v1', 'v1beta1'])
  })

  test('names in comments the parts that it cannot carry over', () => {
    const root = {
      type: 'object',
      required: ['status', 'spec'],
      properties: {
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } },
        spec: { type: 'object', properties: { a: { type: 'string' } } },
        status: { type: 'object' },
      },
      minProperties: 1,
    }
    expect(printKind(withRoot(root, { status: {} })).match(/\/\/ .*/g)).toEqual([
      '// Not carried over: minProperties of the whole object',
      '// Not carried over: limits of metadata: write them as CEL rules',
      '// Not carried over: that a status is required',
      expect.stringMatching(/^\/\/ Not carried over: the column Size: .*no key 'size'/),
    ])
  })

  test('has the given name', () => {
    const printed = printKind(definition, { name: 'OtherThing' })
    expect(printed.match(/^export const \w+/gm)).toEqual([
      'export const OtherThingV1Beta1',
      'export const OtherThing',
      'export const otherThingDefinition',
    ])
    expect(printed).toContain("kind: 'Thing'")
  })

  test('keeps a column of the metadata, which every object has', () => {
    const root = { type: 'object', properties: { spec: { type: 'object' } } }
    const given = withRoot(root)
    const [only] = given.spec.versions
    const columns = [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }]
    const versions = [{ ...only!, additionalPrinterColumns: columns }]
    expect(printKind({ ...given, spec: { ...given.spec, versions } })).toContain(
      "columns: [{ name: 'Age', type: 'date', path: '.metadata.creationTimestamp' }]",
    )
  })

  const text = { type: 'string' }
  test.each([
    [
      'without a spec',
      { properties: { data: text } },
      {},
      'fields: {\n    data: s.string().optional(),\n  },\n})',
    ],
    ['without any key', {}, {}, 'fields: {},\n})'],
    [
      'with keys beside its spec',
      { required: ['operation'], properties: { spec: { type: 'object' }, operation: text } },
      {},
      'spec: s.object({}).optional(),\n  fields: {\n    operation: s.string(),\n  },\n})',
    ],
    [
      'with a status that is not a subresource',
      { properties: { spec: { type: 'object' }, status: { type: 'object' } } },
      {},
      'fields: {\n    status: s.object({}).optional(),\n  },\n})',
    ],
    [
      'whose spec is not an object',
      { properties: { spec: text } },
      {},
      'spec: s.string().optional(),\n  },\n})',
    ],
    [
      'whose status has no type',
      { properties: { status: { 'x-kubernetes-preserve-unknown-fields': true } } },
      { status: {} },
      "status: s.structural<Record<string, unknown>>({ 'x-kubernetes-preserve-unknown-fields': true }),\n})",
    ],
  ])('defines a kind %s', (_, root, subresources, code) => {
    const definitionOfRoot = withRoot({ type: 'object', ...root }, subresources)
    expect(printKind(definitionOfRoot)).toContain(code)
  })
})

describe('A part that the builder has no method for is printed in its structural form, with its type as far as that is known:', () => {
  test.each<[string, StructuralSchema]>([
    [
      "s.structural<boolean>({ type: 'boolean', enum: [true] }).describe('x')",
      { type: 'boolean', enum: [true], description: 'x' },
    ],
    ['s.structural<Record<string, unknown>>', { type: 'object', additionalProperties: true }],
    ['s.structural<string>', { type: 'string', enum: ['a', null] }],
    ['s.structural<unknown[]>', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
    ['s.structural<Record<string, unknown>>', { type: 'object', required: ['a'] }],
    ['s.structural<number>', { type: 'integer', format: 'uint8' }],
    [
      's.structural<number | string>',
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }],
        enum: [1],
      },
    ],
  ])('%s', (code, schema) => {
    expect(printSchema(schema)).toContain(code)
  })
})
