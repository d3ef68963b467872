import { expect, test } from 'vitest'
import type { Outcome } from '../world/index.ts'
import { isDefaulted } from './defaulted.ts'

/** A StatefulSet whose claim templates have one owner, and whose policy the server filled in. */
function runWith(storage: string): Outcome {
  const fieldsV1 = { 'f:spec': { 'f:volumeClaimTemplates': {} } }
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      namespace: 'default',
      name: 'db',
      managedFields: [{ manager: 'operator', operation: 'Apply', fieldsV1 }],
    },
    spec: { podManagementPolicy: storage, volumeClaimTemplates: [{ spec: { storage } }] },
  }
  return { objects: [set], written: [] } as unknown as Outcome
}

function isDefaultedAt(path: string): boolean {
  const difference = { object: 'StatefulSet default/db', path, expected: '10Gi', found: '11Gi' }
  return isDefaulted(difference, [runWith('10Gi'), runWith('11Gi')])
}

test('J9: a field that no client owns has a default', () => {
  expect(isDefaultedAt('spec.podManagementPolicy')).toBe(true)
})

test('J9: a field inside a list with one owner is set by that owner', () => {
  expect(isDefaultedAt('spec.volumeClaimTemplates[0].spec.storage')).toBe(false)
})

test('J9: a field whose name begins like an owned one is another field', () => {
  expect(isDefaultedAt('spec.volumeClaimTemplatesPolicy')).toBe(true)
})

test('J9: of an object that was created, and not applied, the fields that were sent are set', () => {
  const reference = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'a' }
  const fieldsV1 = { 'f:spec': { 'f:sessionAffinity': {}, 'f:type': {} } }
  const managedFields = [{ manager: 'operator', operation: 'Update', fieldsV1 }]
  const stored = {
    ...reference,
    metadata: { namespace: 'default', name: 'a', managedFields },
    spec: { sessionAffinity: 'None', type: 'ClusterIP' },
  }
  const sent = { spec: { type: 'ClusterIP' } }
  const run = { objects: [stored], written: [{ ...reference, created: true, sent }] } as unknown as Outcome
  const isDefaultedField = (path: string): boolean =>
    isDefaulted({ object: 'Service default/a', path, expected: 'a', found: 'b' }, [run, run])
  expect(isDefaultedField('spec.sessionAffinity')).toBe(true)
  expect(isDefaultedField('spec.type')).toBe(false)
})
