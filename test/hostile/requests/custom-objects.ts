import { create, hostile, HOSTILES, many, type HostileRequest } from './hostile-request.ts'

const list = (items: object, extra: object = {}): object => ({
  type: 'object',
  properties: { list: { type: 'array', items, ...extra } },
})
const APPLY = 'application/apply-patch+yaml'
const apply = (spec: unknown, manager = 'one') => ({
  method: 'PATCH' as const,
  path: `${HOSTILES}/h?fieldManager=${manager}&force=true`,
  contentType: APPLY,
  body: hostile(spec),
})

/** Custom objects with very many parts, valid and invalid. */
export const CUSTOM_OBJECTS: readonly HostileRequest[] = [
  {
    title: 'items of a wrong type',
    spec: list({ type: 'integer' }),
    request: (size) => create({ list: many(size, () => 'x') }),
    size: 380_000,
    unstorable: 400_000,
    code: 422,
  },
  {
    title: 'items that are none of a large enum',
    spec: list({ type: 'string', enum: many(20_000, (index) => `value-${index}`) }),
    request: (size) => create({ list: many(size, (index) => `x${index}`) }),
    size: 160_000,
    unstorable: 200_000,
    code: 422,
  },
  {
    title: 'items at the end of a large enum',
    spec: list({ type: 'string', enum: many(20_000, (index) => `value-${index}`) }),
    request: (size) => create({ list: many(size, () => 'value-19999') }),
    size: 108_000,
    unstorable: 200_000,
    code: 201,
  },
  {
    title: 'a text that a costly pattern almost matches',
    spec: { type: 'object', properties: { text: { type: 'string', pattern: '(.*a){1000}' } } },
    request: (size) => create({ text: 'a'.repeat(999) + 'b'.repeat(size) }),
    size: 100_000,
    code: 422,
  },
  {
    title: 'a text that a costly pattern matches',
    spec: { type: 'object', properties: { text: { type: 'string', pattern: '^(x?){500}x{500}$' } } },
    request: () => create({ text: 'x'.repeat(900) }),
    size: 1,
    code: 201,
  },
  {
    title: 'a long text that a pattern of letters and digits matches',
    spec: {
      type: 'object',
      properties: { text: { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' } },
    },
    request: (size) => create({ text: 'a'.repeat(size) }),
    size: 1_500_000,
    unstorable: 2_900_000,
    code: 201,
  },
  {
    title: 'many short texts that a pattern matches',
    spec: list({ type: 'string', pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
    request: (size) => create({ list: many(size, () => 'a') }),
    size: 380_000,
    unstorable: 700_000,
    code: 201,
  },
  {
    title: 'a set of distinct items',
    spec: list({ type: 'integer' }, { 'x-kubernetes-list-type': 'set' }),
    request: (size) => create({ list: many(size, (index) => index) }),
    size: 80_000,
    unstorable: 200_000,
    code: 201,
  },
  {
    title: 'a set of equal items',
    spec: list({ type: 'integer' }, { 'x-kubernetes-list-type': 'set' }),
    request: (size) => create({ list: many(size, (index) => index % (size / 2)) }),
    size: 120_000,
    unstorable: 400_000,
    code: 422,
  },
  {
    title: 'a map of list items',
    spec: list(
      { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    request: (size) => create({ list: many(size, (index) => ({ name: `n${index}` })) }),
    size: 23_000,
    unstorable: 150_000,
    code: 201,
  },
  {
    title: 'a list of a great many numbers',
    spec: list({ type: 'integer', minimum: 0 }),
    request: (size) => create({ list: many(size, () => 1) }),
    size: 780_000,
    unstorable: 1_500_000,
    code: 201,
  },
  {
    title: 'a list of a great many empty objects',
    spec: list({ type: 'object', properties: { a: { type: 'string' } } }),
    request: (size) => create({ list: many(size, () => ({})) }),
    size: 510_000,
    unstorable: 1_000_000,
    code: 201,
  },
  {
    title: 'empty objects, each with a large default',
    spec: list({ type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(1_000) } } }),
    request: (size) => create({ list: many(size, () => ({})) }, false),
    size: 1_000_000,
    code: 500,
  },
  {
    title: 'unknown fields',
    spec: { type: 'object', properties: {} },
    request: (size) => create(Object.fromEntries(many(size, (index) => [`k${index}`, 1]))),
    size: 250_000,
    code: 201,
  },
  {
    title: 'a map of a great many keys',
    spec: { type: 'object', additionalProperties: { type: 'integer' } },
    request: (size) => create(Object.fromEntries(many(size, (index) => [`k${index}`, 1]))),
    size: 62_000,
    unstorable: 250_000,
    code: 201,
  },
  {
    title: 'values that none of many alternatives allows',
    spec: list({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      anyOf: many(20, (index) => ({ required: [`k${index}`] })),
    }),
    request: (size) => create({ list: many(size, () => ({})) }),
    size: 400_000,
    code: 422,
  },
  {
    title: 'an object that is too large to be stored',
    spec: { type: 'object', properties: { text: { type: 'string' } } },
    request: (size) => create({ text: 'x'.repeat(size) }, false),
    size: 2_900_000,
    code: 500,
  },
  {
    title: 'an apply of a set',
    spec: list({ type: 'integer' }, { 'x-kubernetes-list-type': 'set' }),
    before: (size) => [apply({ list: many(size, (index) => index) })],
    request: (size) => apply({ list: many(size, (index) => index + 1) }),
    size: 60_000,
    code: 200,
  },
  {
    title: 'an apply by another manager of a map of list items',
    spec: list(
      {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ),
    before: (size) => [apply({ list: many(size, (index) => ({ name: `n${index}`, value: 'a' })) })],
    request: (size) =>
      apply({ list: many(size, (index) => ({ name: `n${size - index}`, value: 'b' })) }, 'two'),
    size: 10_000,
    code: 200,
  },
  {
    title: 'an apply of a map of a great many keys over another',
    spec: { type: 'object', additionalProperties: { type: 'integer' } },
    before: (size) => [apply(Object.fromEntries(many(size, (index) => [`k${index}`, 1])))],
    request: (size) => apply(Object.fromEntries(many(size, (index) => [`l${index}`, 1]))),
    size: 40_000,
    code: 200,
  },
]
