import type { CoreV1, PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { planVolume } from './volume-plan.ts'

const claimRef = { namespace: 'default', name: 'data', uid: 'claim' }

function volume(
  spec: Partial<CoreV1.PersistentVolumeSpec>,
  annotations: Record<string, string> = {},
): PersistentVolume {
  return { metadata: { name: 'v', annotations }, spec } as unknown as PersistentVolume
}
function claim(volumeName?: string, uid = 'claim'): PersistentVolumeClaim {
  return { metadata: { name: 'data', uid }, spec: { volumeName } } as unknown as PersistentVolumeClaim
}

describe('a volume', () => {
  it('is free without a claim, also where one is only named', () => {
    const free = { type: 'phase', phase: 'Available' }
    expect(planVolume(volume({}), undefined)).toEqual(free)
    expect(planVolume(volume({ claimRef: { namespace: 'default', name: 'data' } }), claim())).toEqual(free)
  })

  it('is bound when its claim says so too, and waits until it does', () => {
    expect(planVolume(volume({ claimRef }), claim('v'))).toEqual({ type: 'phase', phase: 'Bound' })
    expect(planVolume(volume({ claimRef }), claim())).toEqual({ type: 'wait' })
    expect(planVolume(volume({ claimRef, volumeMode: 'Block' }), claim())).toEqual({ type: 'mismatch' })
  })

  it('is released when its claim is gone, or another has its name', () => {
    const kept = volume({ claimRef, persistentVolumeReclaimPolicy: 'Retain' })
    expect(planVolume(kept, undefined)).toEqual({ type: 'release', problem: undefined })
    expect(planVolume(kept, claim('v', 'younger'))).toEqual({ type: 'release', problem: undefined })
  })

  it('fails where no controller here supports its reclaim policy', () => {
    const problem = (
      policy: CoreV1.PersistentVolumeSpec['persistentVolumeReclaimPolicy'],
      spec = {},
    ): unknown =>
      (planVolume(volume({ claimRef, persistentVolumeReclaimPolicy: policy, ...spec }), undefined) as any)
        .problem?.reason
    expect(problem('Delete')).toBe('VolumeFailedDelete')
    expect(problem('Delete', { csi: { driver: 'x', volumeHandle: 'y' } })).toBeUndefined()
    expect(problem('Recycle')).toBe('VolumeFailedRecycle')
    expect(problem('Burn' as 'Delete')).toBe('VolumeUnknownReclaimPolicy')
  })

  it('is free again when its claim has another volume, unless a user reserved it for the claim', () => {
    const ours = { 'pv.kubernetes.io/bound-by-controller': 'yes' }
    expect(planVolume(volume({ claimRef }, ours), claim('other'))).toMatchObject({
      type: 'unbind',
      volume: { metadata: { annotations: {} }, spec: {} },
    })
    const byUser = planVolume(volume({ claimRef }), claim('other')) as any
    expect(byUser.volume.spec.claimRef).toEqual({ namespace: 'default', name: 'data' })
    const made = volume(
      { claimRef, persistentVolumeReclaimPolicy: 'Delete' },
      { 'pv.kubernetes.io/provisioned-by': 'folder.homeostat.dev' },
    )
    expect(planVolume(made, claim('other'))).toEqual({ type: 'release', problem: undefined })
  })
})
