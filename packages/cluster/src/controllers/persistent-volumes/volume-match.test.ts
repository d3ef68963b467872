import type { CoreV1, PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { findVolume, isBoundTo, mismatch } from './volume-match.ts'

function volume(
  name: string,
  storage: string,
  spec: Partial<CoreV1.PersistentVolumeSpec> = {},
  rest: { labels?: object; deletionTimestamp?: string; phase?: string } = {},
): PersistentVolume {
  const { phase = 'Available', ...metadata } = rest
  return {
    metadata: { name, ...metadata },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase },
  } as unknown as PersistentVolume
}
function claim(storage: string, spec: Partial<CoreV1.PersistentVolumeClaimSpec> = {}): PersistentVolumeClaim {
  return {
    metadata: { name: 'data', namespace: 'default', uid: 'claim' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
  } as unknown as PersistentVolumeClaim
}
const kept = { claimRef: { namespace: 'default', name: 'data' } }
function found(of: PersistentVolumeClaim, volumes: PersistentVolume[], delayed = false): string | undefined {
  return findVolume(of, volumes, delayed)?.metadata.name
}

describe('the volume for a claim', () => {
  it('is the smallest that is large enough', () => {
    const volumes = [volume('large', '10Gi'), volume('small', '1Gi'), volume('fits', '5000Mi')]
    expect(found(claim('2Gi'), volumes)).toBe('fits')
    expect(found(claim('2000Gi'), volumes)).toBeUndefined()
  })

  it('has the fewest access modes beyond those requested', () => {
    const many: Partial<CoreV1.PersistentVolumeSpec> = {
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'],
    }
    const volumes = [volume('many', '1Gi', many), volume('one', '9Gi')]
    expect(found(claim('1Gi'), volumes)).toBe('one')
    expect(found(claim('1Gi', { accessModes: ['ReadWriteMany'] }), volumes)).toBe('many')
  })

  it('is one that is kept for it, whatever its class', () => {
    const volumes = [volume('small', '1Gi'), volume('kept', '9Gi', { ...kept, storageClassName: 'x' })]
    expect(found(claim('1Gi'), volumes)).toBe('kept')
    expect(found(claim('1Gi'), volumes, true)).toBe('kept')
    expect(found(claim('1Gi'), volumes.slice(0, 1), true)).toBeUndefined()
  })

  it.each([
    ['is not free yet', volume('v', '1Gi', {}, { phase: 'Pending' })],
    ['is another’s', volume('v', '1Gi', { claimRef: { namespace: 'default', name: 'other' } })],
    ['is of another class', volume('v', '1Gi', { storageClassName: 'fast' })],
    ['is a block device', volume('v', '1Gi', { volumeMode: 'Block' })],
    ['is being deleted', volume('v', '1Gi', {}, { deletionTimestamp: 'now' })],
    ['has other attributes', volume('v', '1Gi', { volumeAttributesClassName: 'gold' })],
  ])('is not one that %s', (_, unsuitable) => {
    expect(found(claim('1Gi'), [unsuitable])).toBeUndefined()
  })

  it('has the labels that the claim selects', () => {
    const volumes = [volume('a', '1Gi'), volume('b', '2Gi', {}, { labels: { disk: 'ssd' } })]
    expect(found(claim('1Gi', { selector: { matchLabels: { disk: 'ssd' } } }), volumes)).toBe('b')
  })

  it('says why it does not suit when it is asked for by name', () => {
    const wanted = claim('2Gi')
    expect(mismatch(volume('v', '2Gi'), wanted)).toBeUndefined()
    expect(mismatch(volume('v', '1Gi'), wanted)).toBe('requested PV is too small')
    expect(mismatch(volume('v', '2Gi', { storageClassName: 'x' }), wanted)).toBe(
      'storageClassName does not match',
    )
    expect(mismatch(volume('v', '2Gi', { volumeMode: 'Block' }), wanted)).toBe('incompatible volumeMode')
    expect(mismatch(volume('v', '2Gi', { accessModes: ['ReadOnlyMany'] }), wanted)).toBe(
      'incompatible accessMode',
    )
    expect(mismatch(volume('v', '2Gi', {}, { deletionTimestamp: 'now' }), wanted)).toBe(
      'the volume is marked for deletion "v"',
    )
  })

  it('is bound by name, and by uid where it has one', () => {
    expect(isBoundTo(volume('v', '1Gi', kept), claim('1Gi'))).toBe(true)
    const claimRef = { ...kept.claimRef, uid: 'another' }
    expect(isBoundTo(volume('v', '1Gi', { claimRef }), claim('1Gi'))).toBe(false)
  })
})
