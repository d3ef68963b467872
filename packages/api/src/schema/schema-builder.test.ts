import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Condition } from '../status/conditions.ts'
import { schema as s } from './schema-builder.ts'
import type { ReadOf, WriteOf } from './schema.ts'

describe('The structural form', () => {
  test('of an object requires what is neither optional nor has a default', () => {
    const view = s.object({
      markdowns: s.map(s.string()).minProperties(1),
      replicas: s.integer().min(1).default(1),
      viewerImage: s.string().optional(),
    })
    expect(view.structural).toEqual({
      type: 'object',
      required: ['markdowns'],
      properties: {
        markdowns: { type: 'object', additionalProperties: { type: 'string' }, minProperties: 1 },
        replicas: { type: 'integer', minimum: 1, default: 1 },
        viewerImage: { type: 'string' },
      },
    })
  })

  test('of an object can require a key with a default, which the types do not', () => {
    const object = s.object({ mode: s.string().default('Full').required(), size: s.integer().default(1) })
    expect(object.structural.required).toEqual(['mode'])
    expectTypeOf<WriteOf<typeof object>>().toEqualTypeOf<{
      mode?: string | undefined
      size?: number | undefined
    }>()
    // @ts-expect-error -- without a default the key is required anyway
    s.string().required()
  })

  test('of an object with optional keys alone names none as required', () => {
    expect(s.object({ a: s.string().optional() }).structural).not.toHaveProperty('required')
  })

  test('of strings holds pattern, lengths, format and enum', () => {
    expect(s.string().pattern('^a').minLength(1).maxLength(9).format('uri').structural).toEqual({
      type: 'string',
      pattern: '^a',
      minLength: 1,
      maxLength: 9,
      format: 'uri',
    })
    expect(s.string().pattern(/^a\/b$/).structural.pattern).toBe('^a\\/b$')
    expect(s.enum('A', 'B').structural).toEqual({ type: 'string', enum: ['A', 'B'] })
    expect(s.string().enum('A', 'B').structural).toEqual(s.enum('A', 'B').structural)
    expect(() => s.string().pattern(/a/i)).toThrow(/flags/)
  })

  test('of numbers and booleans', () => {
    expect(s.integer().min(0).max(5).structural).toEqual({ type: 'integer', minimum: 0, maximum: 5 })
    expect(s.number().structural).toEqual({ type: 'number' })
    expect(s.boolean().structural).toEqual({ type: 'boolean' })
  })

  test('of numbers holds exclusive limits, multiples, formats and values', () => {
    expect(s.number().greaterThan(0).lessThan(1).multipleOf(0.25).format('double').structural).toEqual({
      type: 'number',
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 1,
      exclusiveMaximum: true,
      multipleOf: 0.25,
      format: 'double',
    })
    expect(s.integer().format('int32').enum(1, 2).structural).toEqual({
      type: 'integer',
      format: 'int32',
      enum: [1, 2],
    })
    expect(s.number().greaterThan(0).min(1).structural).toEqual({ type: 'number', minimum: 1 })
  })

  test('holds constraints that have no methods of their own', () => {
    const a = { required: ['a'] }
    const b = { required: ['b'] }
    const schema = s.object({ a: s.string().optional(), b: s.string().optional() })
    expect(
      schema
        .allOf(a)
        .anyOf(a, b)
        .oneOf(b)
        .not({ required: ['a', 'b'] }).structural,
    ).toMatchObject({
      allOf: [a],
      anyOf: [a, b],
      oneOf: [b],
      not: { required: ['a', 'b'] },
    })
    expect(
      s.structural<string>({ type: 'string', 'x-kubernetes-validations': [] }).title('A').structural,
    ).toEqual({ type: 'string', title: 'A', 'x-kubernetes-validations': [] })
  })

  test('of int-or-string holds limits for either', () => {
    expect(s.intOrString().min(0).max(9).pattern('%$').minLength(1).maxLength(4).structural).toMatchObject({
      minimum: 0,
      maximum: 9,
      pattern: '%$',
      minLength: 1,
      maxLength: 4,
    })
  })

  test('of an object that is a resource keeps the keys that it names', () => {
    expect(s.object({ spec: s.any() }).embeddedResource().structural).toMatchObject({
      type: 'object',
      properties: { spec: {} },
      'x-kubernetes-embedded-resource': true,
    })
  })

  test('of lists says how server-side apply merges them', () => {
    const item = s.object({ name: s.string(), port: s.integer() })
    expect(s.list(item).structural).toEqual({ type: 'array', items: item.structural })
    expect(s.list(item).mapBy('name', 'port').minItems(1).maxItems(3).structural).toEqual({
      type: 'array',
      items: item.structural,
      minItems: 1,
      maxItems: 3,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
    })
    expect(s.list(s.string()).set().structural['x-kubernetes-list-type']).toBe('set')
    expect(s.list(s.string()).atomic().structural['x-kubernetes-list-type']).toBe('atomic')
  })

  test('of maps and objects can be atomic', () => {
    expect(s.map(s.string()).atomic().maxProperties(2).structural).toEqual({
      type: 'object',
      additionalProperties: { type: 'string' },
      maxProperties: 2,
      'x-kubernetes-map-type': 'atomic',
    })
    expect(s.object({}).atomic().structural['x-kubernetes-map-type']).toBe('atomic')
    expect(s.object({}).granular().structural['x-kubernetes-map-type']).toBe('granular')
  })

  test('of the types that Kubernetes has besides JSON', () => {
    const anyOf = [{ type: 'integer' }, { type: 'string' }]
    expect(s.intOrString().structural).toEqual({ anyOf, 'x-kubernetes-int-or-string': true })
    expect(s.quantity().structural).toMatchObject({ anyOf, 'x-kubernetes-int-or-string': true })
    expect(s.timestamp().structural).toEqual({ type: 'string', format: 'date-time' })
    expect(s.any().structural).toEqual({ 'x-kubernetes-preserve-unknown-fields': true })
    expect(s.object({}).preserveUnknown().structural).toEqual({
      type: 'object',
      properties: {},
      'x-kubernetes-preserve-unknown-fields': true,
    })
    expect(s.embeddedResource().structural).toEqual({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    })
  })

  test.each(['1', '100m', '1.5Gi', '-2', '.5', '1e3', '12E6', '+4k'])(
    'of a quantity takes %s',
    (quantity) => {
      expect(quantity).toMatch(new RegExp(s.quantity().structural.pattern ?? '-'))
    },
  )

  test.each(['', '1 Gi', 'Gi', '1gi', '1.2.3'])('of a quantity refuses %j', (quantity) => {
    expect(quantity).not.toMatch(new RegExp(s.quantity().structural.pattern ?? '-'))
  })

  test('of conditions is a list with one entry for each type', () => {
    expect(s.conditions().structural).toMatchObject({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: {
        required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
        properties: {
          lastTransitionTime: { type: 'string', format: 'date-time' },
          message: { type: 'string', maxLength: 32_768 },
          observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
          reason: { type: 'string', minLength: 1, maxLength: 1024 },
          status: { enum: ['True', 'False', 'Unknown'] },
          type: { type: 'string', maxLength: 316 },
        },
      },
    })
  })

  test('holds descriptions, null, and rules in their order', () => {
    expect(
      s
        .integer()
        .describe('How many.')
        .nullable()
        .rule('self <= 10', 'at most ten', { reason: 'FieldValueForbidden' })
        .immutable().structural,
    ).toEqual({
      type: 'integer',
      description: 'How many.',
      nullable: true,
      'x-kubernetes-validations': [
        { rule: 'self <= 10', message: 'at most ten', reason: 'FieldValueForbidden' },
        { rule: 'self == oldSelf', message: 'value is immutable' },
      ],
    })
    expect(s.string().rule('true').structural['x-kubernetes-validations']).toEqual([{ rule: 'true' }])
  })
})

describe('A builder', () => {
  test('is a value: a method leaves the one that it is called on as it was', () => {
    const base = s.string()
    const longer = base.minLength(3).optional()
    expect(base.structural).toEqual({ type: 'string' })
    expect([base.isOptional, longer.isOptional]).toEqual([false, true])
    const rules = base.rule('a', 'a')
    rules.rule('b', 'b')
    expect(rules.structural['x-kubernetes-validations']).toHaveLength(1)
  })

  test('copies its default, so that a later change of the value does not reach it', () => {
    const value = ['a']
    const list = s.list(s.string()).default(value)
    value.push('b')
    expect(list.structural.default).toEqual(['a'])
  })

  test('refuses an invalid default', () => {
    expect(() => s.string().default(undefined as unknown as string)).toThrow(/undefined.*optional\(\)/)
    expect(() => s.any().default(null as unknown as string)).toThrow(/null.*optional\(\)/)
  })

  test('takes its methods in any order', () => {
    expect(s.integer().default(2).min(1).structural).toEqual(s.integer().min(1).default(2).structural)
    expect(s.string().optional().enum('A').structural).toEqual({ type: 'string', enum: ['A'] })
    expect(s.string().optional().enum('A').isOptional).toBe(true)
  })
})

describe('The types', () => {
  const spec = s.object({
    needed: s.string(),
    perhaps: s.string().optional(),
    filled: s.integer().default(1),
    both: s.integer().optional().default(1),
    empty: s.string().nullable(),
    phase: s.enum('PENDING', 'DONE'),
    port: s.intOrString(),
    labels: s.map(s.string()),
    nested: s.list(s.object({ name: s.string(), weight: s.number().default(1) })).mapBy('name'),
    raw: s.any(),
    open: s.object({ a: s.string() }).preserveUnknown(),
    conditions: s.conditions(),
    limited: s.string().optional().enum('x', 'y'),
  })

  test('of what is read have defaults filled in', () => {
    expectTypeOf<ReadOf<typeof spec>>().toEqualTypeOf<{
      needed: string
      perhaps?: string | undefined
      filled: number
      both: number
      empty: string | null
      phase: 'PENDING' | 'DONE'
      port: number | string
      labels: Record<string, string>
      nested: { name: string; weight: number }[]
      raw: unknown
      open: { a: string } & Record<string, unknown>
      conditions: Condition[]
      limited?: 'x' | 'y' | undefined
    }>()
  })

  test('of numbers with values, of structural forms and of embedded objects', () => {
    const parts = s.object({
      size: s.integer().enum(1, 2),
      point: s.structural<[number, number]>({ type: 'array', items: { type: 'number' } }),
      template: s
        .object({ data: s.map(s.string()) })
        .embeddedResource()
        .optional(),
    })
    type Read = ReadOf<typeof parts>
    expectTypeOf<Read['size']>().toEqualTypeOf<1 | 2>()
    expectTypeOf<Read['point']>().toEqualTypeOf<[number, number]>()
    expectTypeOf<NonNullable<Read['template']>['kind']>().toEqualTypeOf<string>()
    expectTypeOf<NonNullable<Read['template']>['data']>().toEqualTypeOf<Record<string, string>>()
    // @ts-expect-error not one of the values
    s.integer().enum(1, 2).default(3)
  })

  test('of what is written let defaults be left out', () => {
    expectTypeOf<WriteOf<typeof spec>>().toEqualTypeOf<{
      needed: string
      perhaps?: string | undefined
      filled?: number | undefined
      both?: number | undefined
      empty: string | null
      phase: 'PENDING' | 'DONE'
      port: number | string
      labels: Record<string, string>
      nested: { name: string; weight?: number | undefined }[]
      raw: unknown
      open: { a: string } & Record<string, unknown>
      conditions: Condition[]
      limited?: 'x' | 'y' | undefined
    }>()
  })

  test('take as a default what may be written', () => {
    expect(s.object({ a: s.integer().default(1) }).default({}).structural.default).toEqual({})
    expect(s.string().nullable().default('a').structural.default).toBe('a')
    // @ts-expect-error a number is not a string
    s.string().default(1)
    // @ts-expect-error not one of the values
    s.enum('A').default('B')
    // @ts-expect-error a server takes a default of null for none
    expect(() => s.string().nullable().default(null)).toThrow(/null/)
  })

  test('identify items only by keys that are scalar and always present', () => {
    const item = s.object({
      name: s.string(),
      zone: s.string().optional(),
      weight: s.integer().default(1),
      labels: s.map(s.string()),
    })
    expect(s.list(item).mapBy('name', 'weight').structural['x-kubernetes-list-type']).toBe('map')
    // @ts-expect-error no such key
    s.list(item).mapBy('nmae')
    // @ts-expect-error it may be absent
    s.list(item).mapBy('zone')
    // @ts-expect-error it is a map
    s.list(item).mapBy('labels')
    // @ts-expect-error no key at all
    s.list(item).mapBy()
    // @ts-expect-error strings have no keys
    s.list(s.string()).mapBy('name')
  })

  test('refuse items and values that are optional', () => {
    // @ts-expect-error an item is there or is not
    s.list(s.string().optional())
    // @ts-expect-error a value is there or is not
    s.map(s.string().optional())
    expectTypeOf<ReadOf<ReturnType<typeof nullable>>>().toEqualTypeOf<(string | null)[]>()
    function nullable() {
      return s.list(s.string().nullable())
    }
  })
})
