import { describe, expect, it } from 'vitest'
import { applyDefaults } from './defaults.ts'
import { definitions } from './generated/native-resources.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'

function custom(spec: Record<string, SchemaNode>): TypeSchema {
  return {
    root: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
    definitions: {},
  }
}

function defaulted(schema: TypeSchema, value: object, options?: { keepNulls: boolean }): object {
  applyDefaults(schema, value, options)
  return value
}

describe('the defaults of a custom resource', () => {
  it('fill in what is absent, also inside a default, but make no object to hold them', () => {
    const schema = custom({
      a: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 1 } } },
      c: { type: 'object', properties: { d: { type: 'integer', default: 2 } } },
    })
    expect(defaulted(schema, { spec: {} })).toEqual({ spec: { a: { b: 1 } } })
    expect(defaulted(schema, { spec: { c: {} } })).toEqual({ spec: { a: { b: 1 }, c: { d: 2 } } })
    expect(defaulted(schema, {})).toEqual({})
  })

  it('fill in each element of a list and each value of a map', () => {
    const item: SchemaNode = { type: 'object', properties: { x: { type: 'string', default: 'y' } } }
    const schema = custom({
      list: { type: 'array', items: item },
      map: { type: 'object', additionalProperties: item },
    })
    expect(defaulted(schema, { spec: { list: [{}, { x: 'z' }], map: { k: {} } } })).toEqual({
      spec: { list: [{ x: 'y' }, { x: 'z' }], map: { k: { x: 'y' } } },
    })
  })

  it('replace a null that is not allowed; a null without a default is dropped', () => {
    const schema = custom({
      a: { type: 'string', default: 'x' },
      b: { type: 'string' },
      c: { type: 'string', nullable: true, default: 'x' },
    })
    expect(defaulted(schema, { spec: { a: null, b: null, c: null } })).toEqual({ spec: { a: 'x', c: null } })
    expect(defaulted(schema, { spec: { a: null, b: null } }, { keepNulls: true })).toEqual({
      spec: { a: 'x', b: null, c: 'x' },
    })
  })

  it('are copies: changing the object changes no schema', () => {
    const schema = custom({ list: { type: 'array', default: [], items: { type: 'string' } } })
    const object = defaulted(schema, { spec: {} }) as { spec: { list: string[] } }
    object.spec.list.push('a')
    expect(defaulted(schema, { spec: {} })).toEqual({ spec: { list: [] } })
  })

  it('bring its metadata into the form of all metadata', () => {
    const metadata = { name: 'x', labels: {}, annotations: null, finalizers: [], creationTimestamp: null }
    expect(defaulted(custom({}), { metadata })).toEqual({ metadata: { name: 'x' } })
  })
})

describe('the form of a native object', () => {
  const deployment: TypeSchema = { root: definitions['io.k8s.api.apps.v1.Deployment']!, definitions }

  it('leaves out empty values, and keeps zeroes that differ from an unset field', () => {
    const spec = { replicas: 0, paused: false, minReadySeconds: 0, selector: { matchLabels: {} } }
    expect(defaulted(deployment, { metadata: { name: 'x', labels: {} }, spec })).toMatchObject({
      metadata: { name: 'x' },
      spec: { replicas: 0, selector: {} },
    })
    expect(Object.keys(spec).sort()).toEqual(['replicas', 'selector', 'strategy', 'template'])
  })

  it('writes quantities and times in one way', () => {
    const schema: TypeSchema = { root: definitions['io.k8s.api.core.v1.Pod']!, definitions }
    const pod = defaulted(schema, {
      metadata: { name: 'x', deletionTimestamp: '2024-01-01T02:00:00.5+02:00' },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu: 0.5, memory: '1024Mi' } } }] },
    })
    expect(pod).toMatchObject({
      metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' },
      spec: { containers: [{ resources: { limits: { cpu: '500m', memory: '1Gi' } } }] },
    })
  })

  it('writes unset times that are always present as null', () => {
    const schema: TypeSchema = { root: definitions['io.k8s.api.core.v1.Pod']!, definitions }
    const pod = defaulted(schema, { status: { conditions: [{ type: 'Ready', status: 'True' }] } })
    expect(pod).toMatchObject({ status: { conditions: [{ lastProbeTime: null, lastTransitionTime: null }] } })
  })
})
