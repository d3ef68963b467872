import { describe, expect, expectTypeOf, test } from 'vitest'
import { schema as s } from '../schema/schema-builder.ts'
import { defineKind } from './define-kind.ts'
import type { ApplyOf, CreateOf, MergePatchOf, MutableOf, NoStatus, StatusOf } from './kind.ts'

const base = { group: 'example.com', version: 'v1' } as const

/** Like a kind of Argo CD: a key beside the spec, and a status that is written with the object. */
const Application = defineKind({
  ...base,
  kind: 'Application',
  spec: s.object({ project: s.string() }),
  fields: {
    operation: s.object({ retries: s.integer().default(3), revision: s.string().optional() }).optional(),
    status: s.object({ phase: s.string() }).optional(),
  },
})

/** Like a ConfigMap: no spec, and data at the top. */
const Settings = defineKind({
  ...base,
  kind: 'Settings',
  fields: { data: s.map(s.string()), frozen: s.boolean().default(false) },
  status: s.object({ readers: s.integer() }),
})

describe('A kind with further fields', () => {
  test('has them in the schema of the whole object, which requires those without default', () => {
    expect(Application.schema).toEqual({
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: { type: 'object', required: ['project'], properties: { project: { type: 'string' } } },
        operation: {
          type: 'object',
          properties: { retries: { type: 'integer', default: 3 }, revision: { type: 'string' } },
        },
        status: { type: 'object', required: ['phase'], properties: { phase: { type: 'string' } } },
      },
    })
    expect(Application.subresources.status).toBe(false)
    expect(Settings.schema?.required).toEqual(['data'])
    expect(Object.keys(Settings.schema?.properties ?? {})).not.toContain('spec')
    expect(Settings.subresources.status).toBe(true)
  })

  test('may have no key of its own at all', () => {
    expect(defineKind({ ...base, kind: 'Mark', fields: {} }).schema).toEqual({
      type: 'object',
      properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
    })
  })

  test('is refused where a field repeats what the definition has, or has no form that a server takes', () => {
    const wrong = () =>
      defineKind({
        ...base,
        kind: 'Thing',
        spec: s.object({}),
        status: s.object({}),
        fields: {
          spec: s.string(),
          status: s.object({}),
          metadata: s.object({}),
          size: s.integer().min(2).max(1),
        },
      })
    expect(wrong).toThrow(/fields\.spec: the definition also has spec: remove one/)
    expect(wrong).toThrow(/fields\.status: the definition also has status: remove one/)
    expect(wrong).toThrow(/fields\.metadata: every object has this key: remove it/)
    expect(wrong).toThrow(/- size: nothing fits between/)
  })

  test('is refused without spec and fields, also by the compiler', () => {
    // @ts-expect-error -- neither spec nor fields
    expect(() => defineKind({ ...base, kind: 'Thing' })).toThrow(/it has no spec: give its schema, or those/)
  })
})

describe('The types of a kind with further fields', () => {
  test('read: with defaults, and its status as a field', () => {
    type Read = MutableOf<typeof Application>
    expectTypeOf<Read['spec']>().toEqualTypeOf<{ project: string }>()
    expectTypeOf<Read['operation']>().toEqualTypeOf<
      { retries: number; revision?: string | undefined } | undefined
    >()
    expectTypeOf<Read['status']>().toEqualTypeOf<{ phase: string } | undefined>()
    expectTypeOf<MutableOf<typeof Settings>['data']>().toEqualTypeOf<Record<string, string>>()
    expectTypeOf<MutableOf<typeof Settings>['frozen']>().toEqualTypeOf<boolean>()
    expectTypeOf<MutableOf<typeof Settings>['status']>().toEqualTypeOf<{ readers: number } | undefined>()
    expectTypeOf<keyof MutableOf<typeof Settings>>().toEqualTypeOf<
      'apiVersion' | 'kind' | 'metadata' | 'data' | 'frozen' | 'status'
    >()
  })

  test('create: fields with a default may be left out, others may not', () => {
    const metadata = { name: 'a', namespace: 'b' }
    expectTypeOf({ metadata, data: { a: 'b' } }).toExtend<CreateOf<typeof Settings>>()
    expectTypeOf({ metadata }).not.toExtend<CreateOf<typeof Settings>>()
    expectTypeOf({ metadata, data: { a: 1 } }).not.toExtend<CreateOf<typeof Settings>>()
    expectTypeOf({ metadata, spec: { project: 'p' }, operation: {}, status: { phase: 'x' } }).toExtend<
      CreateOf<typeof Application>
    >()
  })

  test('apply and patch: any part of them, and null removes', () => {
    const metadata = { name: 'a', namespace: 'b' }
    expectTypeOf({ metadata, operation: { revision: 'x' } }).toExtend<ApplyOf<typeof Application>>()
    expectTypeOf({ metadata, operation: { revision: 1 } }).not.toExtend<ApplyOf<typeof Application>>()
    expectTypeOf({ metadata }).toExtend<ApplyOf<typeof Settings>>()
    expectTypeOf({ operation: null, spec: { project: 'q' } }).toExtend<MergePatchOf<typeof Application>>()
    expectTypeOf({ operation: 1 }).not.toExtend<MergePatchOf<typeof Application>>()
  })

  test('status: none where it is a field', () => {
    expectTypeOf<StatusOf<typeof Application>>().toEqualTypeOf<NoStatus>()
    expectTypeOf<StatusOf<typeof Settings>>().toEqualTypeOf<{ readers?: number | undefined } & object>()
  })
})
