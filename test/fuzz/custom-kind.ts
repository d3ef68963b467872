import type { StructuralSchema } from '@homeostat/api'
import { hostileInteger, hostileText, PROTOTYPE_NAMES } from './hostile-values.ts'
import { setKey, type TreeObject } from './json-tree.ts'
import { generate } from './mutate.ts'
import type { Random } from './random.ts'
import type { FuzzedKind } from './seeds.ts'

/** A custom kind that chance made: its definition, and the kind as cases use it. */
export interface CustomKind {
  readonly definition: TreeObject
  readonly kind: FuzzedKind
}

const GROUP = 'random.example.com'

export function randomCustomKind(random: Random, index: number): CustomKind {
  const plural = `things${index}`
  const kind = `Thing${index}`
  const spec = objectSchema(random, 3)
  const schema = {
    type: 'object',
    properties: {
      spec,
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  } as unknown as StructuralSchema
  const subresources = random.chance(0.6)
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { plural, singular: `thing${index}`, kind, listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(subresources && { subresources: { status: {} } }),
        },
      ],
    },
  }
  const fuzzed: FuzzedKind = {
    name: 'random custom kind',
    path: `/apis/${GROUP}/v1/namespaces/{ns}/${plural}`,
    schema,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: subresources ? ['status'] : [],
    custom: true,
    seeds: [],
    vocabulary: new Map(),
  }
  const seeds = Array.from({ length: 24 }, () => ({
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: { name: 'thing' },
    spec: generate(random, fuzzed, spec as never, '', 4),
  }))
  const bare = { apiVersion: `${GROUP}/v1`, kind, metadata: { name: 'thing' } }
  return { definition, kind: { ...fuzzed, seeds: [bare, ...seeds] } }
}

type Schema = Record<string, unknown>

function anySchema(random: Random, depth: number): Schema {
  return random.weighted<() => Schema>([
    [4, () => textSchema(random)],
    [4, () => numberSchema(random)],
    [1, () => withDefault(random, { type: 'boolean' }, () => random.chance(0.5))],
    [1, () => ({ 'x-kubernetes-int-or-string': true })],
    [1, () => ({ 'x-kubernetes-preserve-unknown-fields': true, type: 'object' })],
    [depth > 0 ? 3 : 0, () => objectSchema(random, depth - 1)],
    [depth > 0 ? 2 : 0, () => mapSchema(random, depth - 1)],
    [depth > 0 ? 3 : 0, () => listSchema(random, depth - 1)],
  ])()
}

function withDefault(random: Random, schema: Schema, value: () => unknown): Schema {
  return {
    ...schema,
    ...(random.chance(0.15) && { nullable: true }),
    ...(random.chance(0.15) && { default: value() }),
  }
}

const FORMATS = [
  'date',
  'date-time',
  'ipv4',
  'ipv6',
  'cidr',
  'uri',
  'email',
  'uuid',
  'byte',
  'duration',
  'hostname',
  'other',
]

function textSchema(random: Random): Schema {
  const schema: Schema = {
    type: 'string',
    ...(random.chance(0.2) && { minLength: random.below(3) }),
    ...(random.chance(0.2) && { maxLength: random.below(20) }),
    ...(random.chance(0.2) && {
      pattern: random.pick(['^[a-z]+$', 'a', '^.{2}$', '^\\S*$', '[^\\x00-\\x7F]']),
    }),
    ...(random.chance(0.15) && { format: random.pick(FORMATS) }),
    ...(random.chance(0.15) && { enum: ['a', 'b', 'constructor', ''] }),
    ...(random.chance(0.1) && rules('self.size() < 4', 'self != "a"')),
  }
  return withDefault(random, schema, () => hostileText(random))
}

function numberSchema(random: Random): Schema {
  const bounds = [-1, 0, 1, 10, 2147483647, 9007199254740991, 0.5]
  const schema: Schema = {
    type: random.pick(['integer', 'integer', 'number']),
    ...(random.chance(0.2) && { format: random.pick(['int32', 'int64', 'float', 'double', 'other']) }),
    ...(random.chance(0.2) && { minimum: random.pick(bounds), exclusiveMinimum: random.chance(0.3) }),
    ...(random.chance(0.2) && { maximum: random.pick(bounds), exclusiveMaximum: random.chance(0.3) }),
    ...(random.chance(0.1) && { multipleOf: random.pick([1, 2, 10, 0.5]) }),
    ...(random.chance(0.1) && { enum: [0, 1, 5] }),
    ...(random.chance(0.1) && rules('self >= 0', 'self != 7')),
  }
  return withDefault(random, schema, () => hostileInteger(random))
}

const NAMES = [
  'a',
  'b',
  'name',
  'key',
  'count',
  'ä',
  'with-dash',
  'with.dot',
  'a/b',
  'in',
  ...PROTOTYPE_NAMES,
]

function objectSchema(random: Random, depth: number): Schema {
  const properties: TreeObject = {}
  for (let count = 1 + random.below(5); count > 0; count--) {
    setKey(properties, random.pick(NAMES), anySchema(random, depth))
  }
  const names = Object.keys(properties)
  return {
    type: 'object',
    properties,
    ...(random.chance(0.25) && { required: [random.pick(names)] }),
    ...(random.chance(0.1) && { maxProperties: random.below(4) }),
    ...(random.chance(0.1) && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(random.chance(0.1) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...(random.chance(0.1) && { nullable: true }),
    ...(random.chance(0.1) && { default: {} }),
    ...(Object.hasOwn(properties, 'a') &&
      random.chance(0.2) &&
      rules('has(self.a)', '!has(self.a) || self.a == self.a')),
  }
}

function mapSchema(random: Random, depth: number): Schema {
  return {
    type: 'object',
    additionalProperties: anySchema(random, depth),
    ...(random.chance(0.2) && { minProperties: random.below(2) }),
    ...(random.chance(0.2) && { maxProperties: random.below(4) }),
    ...(random.chance(0.1) && { nullable: true }),
  }
}

function listSchema(random: Random, depth: number): Schema {
  const bounds = {
    ...(random.chance(0.2) && { minItems: random.below(2) }),
    ...(random.chance(0.3) && { maxItems: random.below(4) }),
    ...(random.chance(0.1) && { nullable: true }),
  }
  return random.weighted<() => Schema>([
    [3, () => ({ type: 'array', items: anySchema(random, depth), ...bounds })],
    [
      1,
      () => ({
        type: 'array',
        items: { type: random.pick(['string', 'integer']) },
        'x-kubernetes-list-type': 'set',
        ...bounds,
      }),
    ],
    [
      1,
      () => ({
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          properties: {
            name: { type: random.pick(['string', 'integer', 'boolean']) },
            value: anySchema(random, depth),
          },
          required: ['name'],
        },
        ...bounds,
      }),
    ],
  ])()
}

function rules(...all: readonly string[]): Schema {
  return { 'x-kubernetes-validations': all.map((rule) => ({ rule, message: `fails ${rule}` })).slice(0, 1) }
}
