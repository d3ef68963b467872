import { expect, test } from 'vitest'
import { ownedFields } from './owned-fields.ts'

function otherValuesOf(kind: string, content: object, fieldsV1: object): unknown[] {
  const managedFields = [{ manager: 'operator', operation: 'Apply', fieldsV1 }]
  const object = { apiVersion: 'v1', kind, metadata: { name: 'a', managedFields }, ...content }
  return ownedFields(object, new Set(['operator']), undefined).map(({ other }) => other)
}

test('OWN-1: the other value of a text in a Secret is base64, since the server refuses anything else', () => {
  const data = { password: btoa('secret') }
  expect(otherValuesOf('Secret', { data }, { 'f:data': { 'f:password': {} } })).toEqual([btoa('secretx')])
})

test('OWN-2: the other value of a text in a ConfigMap is any text', () => {
  const data = { color: 'red' }
  expect(otherValuesOf('ConfigMap', { data }, { 'f:data': { 'f:color': {} } })).toEqual(['redx'])
})
