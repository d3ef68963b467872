import { expect, test } from 'vitest'
import { unknownFormats } from './unknown-formats.ts'

const definition = (...schemas: readonly object[]) => ({
  spec: { versions: schemas.map((openAPIV3Schema) => ({ schema: { openAPIV3Schema } })) },
})

test('unknown formats are found in all parts of a schema, in order', () => {
  const schema = {
    type: 'object',
    format: 'a',
    properties: { p: { type: 'string', format: 'd' }, known: { type: 'string', format: 'date-time' } },
    items: { type: 'integer', format: 'b' },
    additionalProperties: { type: 'number', format: 'double' },
    not: { format: 'c' },
    allOf: [{ format: 'e' }],
    oneOf: [{ format: 'f' }],
    anyOf: [{ type: 'integer', format: 'int64' }, { format: 'g' }],
  }
  expect(unknownFormats(definition(schema))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
})

test('versions that have the same schema count once, in whatever order its keys are', () => {
  const one = { type: 'string', format: 'x' }
  const same = { format: 'x', type: 'string' }
  const other = { type: 'string', format: 'x', maxLength: 1 }
  expect(unknownFormats(definition(one, same, other, one))).toEqual(['x', 'x'])
})
