import { describe, expect, test } from 'vitest'
import { refusedSchemas } from '../../test/refused-schemas.ts'
import { schema as s } from './schema-builder.ts'
import { schemaProblems } from './schema-problems.ts'

describe('A schema from elsewhere that is not structural is refused with the field and a remedy:', () => {
  test.each(refusedSchemas)('$problem', ({ schema, problem }) => {
    const found = schemaProblems({ type: 'object', properties: { a: schema } }, 'spec')
    expect(found).toContainEqual(expect.stringContaining(problem))
    for (const each of found) expect(each).toMatch(/^spec\.a/)
  })
})

describe('A schema that is structural has no problems:', () => {
  test.each([
    ['int-or-string without a type', s.intOrString().structural],
    [
      'int-or-string whose types are the first of allOf',
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }],
      } as const,
    ],
    [
      'constraints on keys that the schema has',
      s
        .object({ a: s.string().optional(), b: s.list(s.string()).optional() })
        .oneOf({ required: ['a'] }, { required: ['b'] })
        .not({ properties: { a: { pattern: '^x' }, b: { items: { enum: ['y'] } } } }).structural,
    ],
    ['an embedded resource with keys', s.object({ spec: s.any() }).embeddedResource().structural],
    ['flags that are false', { type: 'string', nullable: false, uniqueItems: false } as const],
  ])('%s', (_, schema) => {
    expect(schemaProblems(schema, 'spec')).toEqual([])
  })
})
