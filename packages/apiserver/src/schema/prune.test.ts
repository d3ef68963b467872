import { describe, expect, it } from 'vitest'
import { prune } from './prune.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { definitions } from './generated/native-resources.ts'

function custom(spec: SchemaNode): TypeSchema {
  return { root: { type: 'object', properties: { spec } }, definitions: {} }
}

const deployment: TypeSchema = { root: definitions['io.k8s.api.apps.v1.Deployment']!, definitions }

describe('pruning a custom resource', () => {
  it('drops unknown fields and names them, sorted', () => {
    const schema = custom({
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    })
    const object = { kind: 'X', metadata: { name: 'x' }, spec: { z: 1, list: [{ a: 'a', b: 2 }] }, other: {} }
    expect(prune(schema, object)).toEqual(['other', 'spec.list[0].b', 'spec.z'])
    expect(object).toEqual({ kind: 'X', metadata: { name: 'x' }, spec: { list: [{ a: 'a' }] } })
  })

  it('drops metadata that Kubernetes does not know, although the schema does not describe metadata', () => {
    const object = {
      metadata: { name: 'x', labels: { a: 'b' }, foo: 1, ownerReferences: [{ uid: 'u', bar: 1 }] },
    }
    expect(prune(custom({ type: 'object' }), object)).toEqual([
      'metadata.foo',
      'metadata.ownerReferences[0].bar',
    ])
    expect(object.metadata).toEqual({ name: 'x', labels: { a: 'b' }, ownerReferences: [{ uid: 'u' }] })
  })

  it('keeps unknown fields where the schema preserves them, and still prunes what it names below', () => {
    const schema = custom({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
    })
    const object = { spec: { free: { b: 1 }, known: { a: 'a', c: 1 } } }
    expect(prune(schema, object)).toEqual(['spec.known.c'])
    expect(object).toEqual({ spec: { free: { b: 1 }, known: { a: 'a' } } })
  })

  it('keeps the type and metadata of an embedded resource', () => {
    const schema = custom({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    })
    const object = {
      spec: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', foo: 1 }, spec: { a: 'a', b: 1 } },
    }
    expect(prune(schema, object)).toEqual(['spec.metadata.foo', 'spec.spec.b'])
  })

  it('keeps unknown fields in the elements of a list that preserves them', () => {
    const schema = custom({
      type: 'array',
      'x-kubernetes-preserve-unknown-fields': true,
      items: { type: 'object', properties: { a: { type: 'object', properties: {} } } },
    })
    const object = { spec: [{ b: 1, a: { c: 1 } }] }
    expect(prune(schema, object)).toEqual(['spec[0].a.c'])
    expect(object).toEqual({ spec: [{ b: 1, a: {} }] })
  })

  it('leaves scalars and int-or-string alone, and looks into the values of maps', () => {
    const schema = custom({
      type: 'object',
      properties: {
        port: { 'x-kubernetes-int-or-string': true },
        map: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
    })
    const object = { spec: { port: 'http', map: { one: { a: '1', b: 2 } } } }
    expect(prune(schema, object)).toEqual(['spec.map.one.b'])
  })

  it('treats names that objects inherit, and __proto__, as unknown like any other', () => {
    const object = JSON.parse('{"spec":{"constructor":{"x":1},"__proto__":{"y":1},"toString":1}}') as object
    expect(prune(custom({ type: 'object' }), object)).toEqual([
      'spec.__proto__',
      'spec.constructor',
      'spec.toString',
    ])
    expect(JSON.stringify(object)).toBe('{"spec":{}}')
  })
})

describe('pruning a native object', () => {
  it('drops what its document does not know', () => {
    const object = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
      spec: { replica: 1, template: { spec: { containers: [{ name: 'a', imag: 'b' }] } } },
    }
    expect(prune(deployment, object)).toEqual(['spec.replica', 'spec.template.spec.containers[0].imag'])
  })

  it('keeps the content of managed fields', () => {
    const object = { metadata: { managedFields: [{ manager: 'a', fieldsV1: { 'f:spec': { 'f:x': {} } } }] } }
    expect(prune(deployment, structuredClone(object))).toEqual([])
  })
})
