import type { StructuralSchema } from '../src/schema/structural.ts'

/**
 * Schemas of a field that no server takes in a CRD, and what we say of each. Our own checks are tested on
 * them, and a real server is asked whether it refuses them as well; `dropped` marks those that it only
 * warns of, leaving out what it does not know.
 */
export const refusedSchemas: readonly {
  readonly problem: string
  readonly schema: StructuralSchema
  readonly dropped?: boolean
}[] = [
  { problem: 'has no type: give one', schema: {} },
  {
    problem: 'has several types: give one type, and nullable',
    schema: foreign({ type: ['string', 'null'] }),
  },
  { problem: "the type 'null' is unknown", schema: foreign({ type: 'null' }) },
  { problem: 'cannot hold $ref: write the schema', schema: foreign({ $ref: '#/definitions/A' }) },
  {
    problem: 'cannot hold patternProperties: use additionalProperties',
    schema: foreign({ type: 'object', patternProperties: { '^a': { type: 'string' } } }),
  },
  {
    problem: 'cannot hold definitions',
    schema: foreign({ type: 'object', definitions: { A: { type: 'string' } } }),
  },
  {
    problem: 'cannot hold const: use an enum',
    schema: foreign({ type: 'string', const: 'a' }),
    dropped: true,
  },
  {
    problem: 'exclusiveMinimum is a number: give it as minimum',
    schema: foreign({ type: 'integer', exclusiveMinimum: 1 }),
  },
  {
    problem: 'uniqueItems: make the list a set',
    schema: { type: 'array', items: { type: 'string' }, uniqueItems: true },
  },
  { problem: 'a list needs the schema of its items', schema: { type: 'array' } },
  { problem: 'items is a list', schema: foreign({ type: 'array', items: [{ type: 'string' }] }) },
  {
    problem: 'both properties and additionalProperties',
    schema: {
      type: 'object',
      properties: { b: { type: 'string' } },
      additionalProperties: { type: 'string' },
    },
  },
  {
    problem: 'preserve-unknown-fields is false',
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  },
  {
    problem: 'an embedded resource must be of type object',
    schema: { type: 'string', 'x-kubernetes-embedded-resource': true },
  },
  {
    problem: 'an embedded resource needs properties',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true },
  },
  {
    problem: 'x-kubernetes-list-type is for lists',
    schema: { type: 'string', 'x-kubernetes-list-type': 'set' },
  },
  {
    problem: 'x-kubernetes-map-type is for objects',
    schema: { type: 'string', 'x-kubernetes-map-type': 'atomic' },
  },
  {
    problem: 'anyOf[1]: a constraint cannot have type',
    schema: { type: 'string', anyOf: [{ pattern: '^a' }, { type: 'string' }] },
  },
  {
    problem: 'not: a constraint cannot have default',
    schema: { type: 'string', not: { default: 'a', pattern: '^b' } },
  },
  {
    problem: 'allOf[0].b: a constraint cannot have nullable',
    schema: {
      type: 'object',
      properties: { b: { type: 'string' } },
      allOf: [{ properties: { b: { nullable: true } } }],
    },
  },
]

/** Documents that are not a schema to the compiler either. */
function foreign(schema: object): StructuralSchema {
  return schema
}
