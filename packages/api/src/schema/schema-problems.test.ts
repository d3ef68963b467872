import { describe, expect, test } from 'vitest'
import { schema as s } from './schema-builder.ts'
import { schemaProblems } from './schema-problems.ts'
import type { AnySchema } from './schema.ts'

const problems = (schema: AnySchema): string[] => schemaProblems(schema.structural, 'spec')
const item = s.object({
  name: s.string(),
  port: s.integer().default(80),
  zone: s.string().optional(),
  note: s.string().nullable(),
  labels: s.map(s.string()),
})
const mapBy = (schema: { structural: object }, ...keys: string[]): string[] =>
  schemaProblems(
    {
      type: 'array',
      items: schema.structural,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
    },
    'spec.items',
  )

describe('A schema that a server accepts', () => {
  test.each([
    ['defaults within their limits', s.integer().min(1).max(3).default(3)],
    ['an object whose keys all have defaults', s.object({ a: s.integer().default(1) }).default({})],
    ['a nullable value with a default', s.enum('A').nullable().default('A')],
    ['a set of scalars', s.list(s.string()).set().default(['a', 'b'])],
    ['a set of atomic objects', s.list(item.atomic()).set()],
    ['a list by required and defaulted keys', s.list(item).mapBy('name', 'port')],
    [
      'an immutable key of items that have a name',
      s.list(s.object({ name: s.string().immutable() })).mapBy('name'),
    ],
    ['an immutable value of a map', s.map(s.string().maxLength(9).immutable()).maxProperties(9)],
    ['a rule on an item that looks only at itself', s.list(s.string().rule('self != ""', 'is empty'))],
    [
      'a quantity as a number and as a string',
      s.object({ a: s.quantity().default(1), b: s.quantity().default('1Gi') }),
    ],
    ['a time', s.timestamp().default('2026-01-01T00:00:00Z')],
    ['anything at all', s.any().default({ a: [1, null] })],
    ['a pattern with flags', s.string().pattern('(?i)^a').default('A')],
    ['an immutable key of an atomic object', s.object({ a: s.string().immutable() }).atomic()],
    ['a multiple in binary fractions', s.number().multipleOf(0.1).default(0.3)],
    [
      'the ends of 32 bits',
      s
        .integer()
        .format('int32')
        .default(-(2 ** 31)),
    ],
    [
      'a default that meets its constraints',
      s
        .object({ a: s.string().optional(), b: s.string().optional() })
        .oneOf({ required: ['a'] }, { required: ['b'] })
        .default({ a: 'x' }),
    ],
    ['a literal backslash and digit', s.string().pattern('\\\\1')],
  ])('has no problems: %s', (_, schema) => {
    expect(problems(schema)).toEqual([])
  })
})

describe('A default that does not fit its own schema is named with its field', () => {
  test.each<[string, AnySchema]>([
    [
      'spec.n: the default does not fit: spec.n is 0, less than 1',
      s.object({ n: s.integer().default(0).min(1) }),
    ],
    ['spec is 4, more than 3', s.integer().max(3).default(4)],
    ['spec is 1.5, not a whole number', s.integer().default(1.5)],
    ['spec is 1, not more than that', s.number().greaterThan(1).default(1)],
    ['spec is 2, not less than that', s.number().lessThan(2).default(2)],
    ['spec is 7, not a multiple of 5', s.integer().multipleOf(5).default(7)],
    [
      'spec is 2147483648, more than 32 bits',
      s
        .integer()
        .format('int32')
        .default(2 ** 31),
    ],
    ['spec is "b", which does not match ^a', s.string().allOf({ pattern: '^a' }).default('b')],
    ['spec fits none of anyOf', s.string().anyOf({ pattern: '^a' }, { maxLength: 0 }).default('b')],
    [
      'spec does not fit exactly one of oneOf',
      s.string().oneOf({ pattern: '^a' }, { maxLength: 9 }).default('a'),
    ],
    [
      'spec fits what not() refuses',
      s
        .object({ a: s.string() })
        .not({ properties: { a: { pattern: '^a' } } })
        .default({ a: 'a' }),
    ],
    ['spec is "C", not one of "A", "B"', s.enum('A', 'B').default('C' as 'A')],
    ['spec is "b", which does not match ^a', s.string().pattern('^a').default('b')],
    ['spec is shorter than 2', s.string().minLength(2).default('é')],
    ['spec is longer than 2', s.string().maxLength(2).default('abc')],
    ['spec is "soon", not a time in RFC 3339', s.timestamp().default('soon')],
    ['spec is "2026-01-01", not a time in RFC 3339', s.timestamp().default('2026-01-01')],
    ['spec is 100000000000000000000, not a whole number', s.integer().default(1e20)],
    ['spec.a is null', s.object({ a: s.string() }).default({ a: null as unknown as string })],
    ['spec.apiVersion is missing', s.embeddedResource().default({ kind: 'Pod' } as never)],
    ['spec is true, not a whole number or a string', s.intOrString().default(true as unknown as string)],
    ['spec[1] is 2, not a string', s.list(s.string()).default(['a', 2 as unknown as string])],
    ['spec has fewer than 2 items', s.list(s.string()).minItems(2).default(['a'])],
    ['spec has more than 1 items', s.list(s.string()).maxItems(1).default(['a', 'b'])],
    ['spec has "a" twice', s.list(s.string()).set().default(['a', 'b', 'a'])],
    [
      'spec has {"name":"a","port":80} twice',
      s
        .list(s.object({ name: s.string(), port: s.integer().default(80) }))
        .mapBy('name', 'port')
        .default([{ name: 'a' }, { name: 'a', port: 80 }]),
    ],
    ['spec.a is missing', s.object({ a: s.string() }).default({} as { a: string })],
    ['spec.b is not a key of the schema', s.object({}).default({ b: 1 })],
    ['spec has fewer than 1 keys', s.map(s.string()).minProperties(1).default({})],
    ['spec has more than 1 keys', s.map(s.string()).maxProperties(1).default({ a: '', b: '' })],
    ['spec.a is 1, not a string', s.map(s.string()).default({ a: 1 as unknown as string })],
  ])('%s', (problem, schema) => {
    expect(problems(schema)).toEqual([expect.stringContaining(problem)])
    expect(problems(schema)[0]).toMatch(/Change the default or the schema$/)
  })
})

describe('Refused, with the field and a remedy:', () => {
  test('limits that allow no value, or that are not numbers', () => {
    expect(problems(s.integer().min(3).max(2))).toEqual([
      expect.stringContaining('between minimum 3 and maximum 2'),
    ])
    expect(problems(s.string().minLength(-1))).toEqual([expect.stringContaining('minLength is -1')])
    expect(problems(s.list(s.string()).maxItems(1.5))).toEqual([expect.stringContaining('maxItems is 1.5')])
    expect(problems(s.number().min(Number.NaN))).toEqual([expect.stringContaining('minimum is NaN')])
    expect(problems(s.number().greaterThan(1).max(1))).toEqual([
      expect.stringContaining('more and less than 1'),
    ])
    expect(problems(s.number().multipleOf(0))).toEqual([expect.stringContaining('give a number above 0')])
  })

  test.each(['^(?!a)', '(?<=a)b', '(a)\\1', '(?<x>a)\\k<x>'])(
    'the pattern %s, which RE2 cannot',
    (pattern) => {
      expect(problems(s.object({ a: s.string().pattern(pattern) }))).toEqual([
        expect.stringMatching(/^spec\.a: the pattern .* rule\(\)$/),
      ])
    },
  )

  test('a pattern that is not an expression', () => {
    expect(problems(s.string().pattern('[a'))).toEqual([
      expect.stringContaining('is not a valid regular expression'),
    ])
  })

  test('a value twice in an enum', () => {
    expect(problems(s.enum('A', 'B', 'A'))).toEqual(['spec: the enum has "A" twice: remove one'])
  })

  test('keys of a list that do not identify its items', () => {
    expect(mapBy(item, 'name', 'name')).toEqual([
      expect.stringContaining("mapBy('name') names the key twice"),
    ])
    expect(mapBy(item, 'nmae')).toEqual([expect.stringContaining("have no key 'nmae'")])
    expect(mapBy(item, 'zone')).toEqual([expect.stringContaining('spec.items[].zone is optional')])
    expect(mapBy(item, 'note')).toEqual([expect.stringContaining('spec.items[].note cannot be nullable')])
    expect(mapBy(item, 'labels')).toEqual([expect.stringContaining('spec.items[].labels is not a scalar')])
    expect(mapBy(item)).toEqual([expect.stringContaining('at least one key')])
    expect(mapBy(s.string(), 'name')).toEqual([expect.stringContaining('items that are objects')])
    expect(mapBy(item.nullable(), 'name')).toEqual([expect.stringContaining('cannot be nullable')])
  })

  test('a set of objects that are not atomic', () => {
    expect(problems(s.list(item).set())).toEqual([expect.stringContaining('call atomic() on the item')])
    expect(problems(s.list(s.list(s.string()).set()).set())).toHaveLength(1)
  })

  test('a rule on a value that may be anything', () => {
    expect(problems(s.any().rule('true', 'x'))).toEqual([expect.stringContaining('on the object around it')])
  })

  test('rules that are empty, or whose message is not one line', () => {
    expect(problems(s.string().rule(' ', 'x'))).toEqual([expect.stringContaining('a rule() is empty')])
    expect(problems(s.string().rule('true', ''))).toEqual([expect.stringContaining('must be one line')])
    expect(problems(s.string().rule('true', 'a\nb'))).toEqual([expect.stringContaining('must be one line')])
  })

  test('a comparison with the old value of an item that cannot be identified', () => {
    expect(problems(s.object({ l: s.list(s.object({ a: s.string().immutable() })) }))).toEqual([
      expect.stringMatching(/^spec\.l\[\]\.a: .*items of spec\.l have no identity.*mapBy\(\)/),
    ])
    expect(problems(s.list(s.string().immutable()).set())).toHaveLength(1)
    expect(problems(s.string().rule('true', 'x', { optionalOldSelf: true }))).toEqual([
      expect.stringContaining('does not use oldSelf'),
    ])
  })

  test('everything at once, wherever it is', () => {
    const schema = s.object({
      a: s.map(s.integer().min(1).max(0)),
      b: s.list(s.object({ c: s.string().default('x').maxLength(0) })),
    })
    expect(problems(schema).map((problem) => problem.split(':')[0])).toEqual(['spec.a.*', 'spec.b[].c'])
  })
})
