import { describe, expect, it } from 'vitest'
import { causesOf } from './errors/field-error.ts'
import {
  validateFieldManager,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta-validation.ts'

const namespaced = { namespaced: true }
const meta = { name: 'x', namespace: 'y' }

function fields(...args: Parameters<typeof validateObjectMeta>): string[] {
  return validateObjectMeta(...args).map(({ field }) => field)
}

describe('metadata', () => {
  it('of a namespaced object has a name and a namespace, and of others only a name', () => {
    expect(fields(meta, namespaced)).toEqual([])
    expect(fields({ name: 'x' }, namespaced)).toEqual(['metadata.namespace'])
    expect(fields({ namespace: 'y' }, namespaced)).toEqual(['metadata.name'])
    expect(fields(meta, { namespaced: false })).toEqual(['metadata.namespace'])
  })

  it('has a name in the form of its kind', () => {
    expect(fields({ ...meta, name: 'a.b' }, { ...namespaced, names: 'subdomain' })).toEqual([])
    expect(fields({ ...meta, name: 'a.b' }, { ...namespaced, names: 'label' })).toEqual(['metadata.name'])
    expect(fields({ ...meta, name: '1a' }, { ...namespaced, names: 'label1035' })).toEqual(['metadata.name'])
    expect(fields({ ...meta, name: 'system:x' }, { ...namespaced, names: 'segment' })).toEqual([])
    expect(fields({ ...meta, name: 'a/b%' }, { ...namespaced, names: 'segment' })).toHaveLength(2)
  })

  it('may have a generateName that ends in a dash', () => {
    expect(fields({ ...meta, generateName: 'a-' }, namespaced)).toEqual([])
    expect(fields({ ...meta, generateName: 'a_b-' }, namespaced)).toEqual(['metadata.generateName'])
  })

  it('holds at most 256 KiB of annotations', () => {
    const annotations = { a: 'x'.repeat(256 * 1024) }
    expect(causesOf(validateObjectMeta({ ...meta, annotations }, namespaced))).toEqual([
      {
        field: 'metadata.annotations',
        reason: 'FieldValueTooLong',
        message: 'Too long: may not be more than 262144 bytes',
      },
    ])
  })

  it('has one controller at most', () => {
    const owner = { apiVersion: 'v1', kind: 'X', uid: 'u', controller: true }
    const ownerReferences = [
      { ...owner, name: 'a' },
      { ...owner, name: 'b' },
    ]
    const [error] = validateObjectMeta({ ...meta, ownerReferences }, namespaced)
    expect(error?.message).toContain('Found "true" in references for X/a and X/b')
  })

  it('of a native object has only finalizers with a domain', () => {
    const finalizers = ['orphan', 'example.com/a', 'mine']
    expect(fields({ ...meta, finalizers }, namespaced)).toEqual([])
    expect(fields({ ...meta, finalizers }, { ...namespaced, native: true })).toEqual([
      'metadata.finalizers[2]',
    ])
  })
})

describe('a change of metadata', () => {
  const old = {
    ...meta,
    uid: 'u',
    generation: 2,
    finalizers: ['a.b/c'],
    deletionTimestamp: '2024-01-01T00:00:00Z',
  }

  it('keeps the fields that identify the object', () => {
    const changed = { ...old, uid: 'v', name: 'z', generation: 1 }
    expect(validateObjectMetaUpdate(changed, old).map(({ field }) => field)).toEqual([
      'metadata.generation',
      'metadata.name',
      'metadata.uid',
    ])
  })

  it('adds no finalizer to an object that is being deleted', () => {
    const [error] = validateObjectMetaUpdate({ ...old, finalizers: ['a.b/c', 'a.b/d'] }, old)
    expect(error?.message).toBe(
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/d"}',
    )
  })
})

describe('the name of a field manager', () => {
  it('is visible and not too long', () => {
    expect(validateFieldManager('kubectl-edit')).toEqual([])
    expect(validateFieldManager('x'.repeat(129)).map(({ reason }) => reason)).toEqual(['FieldValueTooLong'])
    expect(validateFieldManager('a\u0007').map(({ message }) => message)).toEqual([
      String.raw`Invalid value: "a\a": invalid character U+0007 (at position 1)`,
    ])
  })
})
