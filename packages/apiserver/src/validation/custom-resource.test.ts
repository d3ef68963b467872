import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../schema/defaults.ts'
import { causesOf, type FieldError } from '../schema/errors/field-error.ts'
import { copyJson, objectOf, type JsonObject } from '../schema/values/json.ts'
import { prune } from '../schema/prune.ts'
import type { SchemaNode, TypeSchema } from '../schema/types/type-schema.ts'
import { validate, validateStatus } from './validate.ts'

interface Golden {
  readonly crd: {
    readonly spec: {
      readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: SchemaNode } }[]
    }
  }
  readonly steps: readonly {
    readonly request: string
    readonly body: JsonObject
    readonly status: number
    readonly answer: JsonObject & { details?: { causes?: JsonObject[] }; message?: string }
  }[]
}

function golden(name: string): Golden & { schema: TypeSchema } {
  const file = JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')) as Golden
  return { ...file, schema: { root: file.crd.spec.versions[0]!.schema.openAPIV3Schema, definitions: {} } }
}

/** The server iterates over maps without an order. */
function sorted(causes: readonly unknown[]): string[] {
  return causes.map((cause) => JSON.stringify(cause, ['reason', 'message', 'field'])).sort()
}

function causes(errors: readonly FieldError[]): string[] {
  return sorted(causesOf(errors))
}

/** The result for an object: why it was refused, or its spec. */
function outcome(object: JsonObject, errors: readonly FieldError[]): unknown {
  return errors.length > 0 ? causes(errors) : object['spec']
}

function answered(step: Golden['steps'][number]): unknown {
  return step.status < 300 ? step.answer['spec'] : sorted(step.answer.details?.causes ?? [])
}

function title(body: JsonObject): string {
  return String(objectOf(body['metadata'])['name'])
}

describe('a custom resource is validated as a real kube-apiserver does', () => {
  const { schema, steps } = golden('custom-validation')
  it.each(steps.map((step) => [title(step.body), step] as const))('%s', (_, step) => {
    const object = copyJson(step.body)
    prune(schema, object)
    applyDefaults(schema, object)
    expect(outcome(object, validate(schema, object))).toEqual(answered(step))
  })
})

describe('a custom resource is pruned and defaulted as a real kube-apiserver does', () => {
  const { schema, steps } = golden('custom-defaults')
  const accepted = steps.filter(({ status }) => status !== 400)
  it.each(accepted.map((step) => [title(step.body), step] as const))('%s', (_, step) => {
    const object = copyJson(step.body)
    prune(schema, object)
    applyDefaults(schema, object)
    expect(outcome(object, validate(schema, object))).toEqual(answered(step))
  })

  it('names the unknown fields that strict field validation refuses', () => {
    const step = steps.find(({ status }) => status === 400)!
    const unknown = prune(schema, copyJson(step.body)).map((path) => `unknown field "${path}"`)
    expect(step.answer.message).toBe(
      `Sample in version "v1" cannot be handled as a Sample: strict decoding error: ${unknown.join(', ')}`,
    )
  })
})

describe('a status is validated as a real kube-apiserver does', () => {
  const { schema, steps } = golden('custom-status')
  it.each(steps.slice(1).map((step) => [JSON.stringify(step.body['status']), step] as const))(
    '%s',
    (_, step) => {
      expect(causes(validateStatus(schema, step.body))).toEqual(sorted(step.answer.details?.causes ?? []))
    },
  )
})

describe('an update', () => {
  const spec = (properties: Record<string, SchemaNode>): TypeSchema => ({
    root: { type: 'object', properties: { spec: { type: 'object', properties } } },
    definitions: {},
  })

  it('may break a rule in a part that it does not change', () => {
    const schema = spec({ a: { type: 'integer', minimum: 5 }, b: { type: 'integer', minimum: 5 } })
    const old = { spec: { a: 1, b: 5 } }
    expect(validate(schema, { spec: { a: 1, b: 6 } }, old)).toEqual([])
    expect(validate(schema, { spec: { a: 1, b: 4 } }, old).map(({ field }) => field)).toEqual(['spec.b'])
    expect(validate(schema, { spec: { a: 2, b: 5 } }, old).map(({ field }) => field)).toEqual(['spec.a'])
  })

  it('matches unchanged elements of a list by their keys, and only in lists of type map', () => {
    const items: SchemaNode = {
      type: 'object',
      properties: { key: { type: 'string' }, n: { type: 'integer', minimum: 5 } },
    }
    const keyed = spec({
      list: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['key'] },
    })
    const plain = spec({ list: { type: 'array', items } })
    const old = { spec: { list: [{ key: 'a', n: 1 }] } }
    const moved = {
      spec: {
        list: [
          { key: 'b', n: 6 },
          { key: 'a', n: 1 },
        ],
      },
    }
    expect(validate(keyed, moved, old)).toEqual([])
    expect(validate(plain, moved, old).map(({ field }) => field)).toEqual(['spec.list[1].n'])
  })
})

describe('a hostile schema or object', () => {
  it('cannot hang the server by a pattern', () => {
    const schema: TypeSchema = {
      root: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      definitions: {},
    }
    expect(validate(schema, { a: `${'a'.repeat(50_000)}!` })).toHaveLength(1)
  })

  it('is not fooled by names that every object inherits', () => {
    const schema: TypeSchema = {
      root: { type: 'object', required: ['constructor'], additionalProperties: { type: 'string' } },
      definitions: {},
    }
    expect(validate(schema, {}).map(({ field }) => field)).toEqual(['constructor'])
    const object = JSON.parse('{"constructor":"x","__proto__":1}') as object
    expect(validate(schema, object).map(({ field }) => field)).toEqual(['__proto__'])
  })

  it('names a fraction as a number, also where it is nearly a whole one', () => {
    const root: SchemaNode = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } }
    const errors = validate({ root, definitions: {} }, { a: 2_147_483_647.5, b: 2_147_483_647.5 })
    expect(errors.map(({ message }) => message)).toEqual([
      'Invalid value: "number": a in body must be of type string: "number"',
      'Invalid value: "": Checked value must be of type integer (default format) in b',
    ])
  })

  it('compares as floating-point numbers where a limit is not of the type', () => {
    const root: SchemaNode = { type: 'object', properties: { a: { type: 'integer', maximum: 0.5 } } }
    const errors = validate({ root, definitions: {} }, { a: 9_007_199_254_740_991 })
    expect(errors.map(({ message }) => message)).toEqual([
      'Invalid value: "": Maximum boundary value must be of type integer (default format) in a',
      'Invalid value: 9.007199254740991e+15: a in body should be less than or equal to 0.5',
    ])
  })

  it('compares numbers with an enum as Go converts them', () => {
    const root: SchemaNode = {
      type: 'object',
      additionalProperties: { 'x-kubernetes-preserve-unknown-fields': true, enum: [0, 1, 'A'] },
    }
    const object = { a: 1.5, b: -0.5, c: 65, d: 2.5, e: 66, f: -65 }
    expect(validate({ root, definitions: {} }, object).map(({ field }) => field)).toEqual(['d', 'e', 'f'])
  })

  it('takes time in proportion to a long list', () => {
    const schema: TypeSchema = {
      root: {
        type: 'object',
        properties: { set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } } },
      },
      definitions: {},
    }
    const set = Array.from({ length: 100_000 }, (_, index) => index)
    expect(validate(schema, { set: [...set, 7] }).map(({ field }) => field)).toEqual(['set[100000]'])
  })
})
