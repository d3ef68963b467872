import type { CoreV1, PersistentVolume, PersistentVolumeClaim, StorageClass } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { planClaimBinding, type ClaimContext } from './claim-plan.ts'

const COMPLETED = { 'pv.kubernetes.io/bind-completed': 'yes' }

function claim(
  spec: Partial<CoreV1.PersistentVolumeClaimSpec> = {},
  annotations: Record<string, string> = {},
): PersistentVolumeClaim {
  return {
    metadata: { name: 'data', namespace: 'default', uid: 'claim', annotations },
    spec: { resources: { requests: { storage: '1Gi' } }, ...spec },
  } as unknown as PersistentVolumeClaim
}
function volume(name: string, spec: Partial<CoreV1.PersistentVolumeSpec> = {}): PersistentVolume {
  return {
    metadata: { name },
    spec: { capacity: { storage: '1Gi' }, ...spec },
    status: { phase: 'Available' },
  } as unknown as PersistentVolume
}
function storageClass(name: string, rest: object = {}, annotations: object = {}): StorageClass {
  return {
    metadata: { name, creationTimestamp: `2026-01-0${name.length}`, annotations },
    provisioner: `${name}.example`,
    ...rest,
  } as unknown as StorageClass
}
function plan(of: PersistentVolumeClaim, around: Partial<ClaimContext> = {}): any {
  return planClaimBinding(of, { volumes: [], classes: [], waitingPods: [], placed: false, ...around })
}
const taken = { claimRef: { namespace: 'default', name: 'other', uid: 'other' } }

describe('a claim', () => {
  it('is bound to a volume that suits it', () => {
    expect(plan(claim(), { volumes: [volume('v')] })).toMatchObject({
      type: 'bind',
      volume: { metadata: { name: 'v' } },
    })
  })

  it('asks the provisioner of its class for one where there is none', () => {
    const classes = [storageClass('fast')]
    expect(plan(claim({ storageClassName: 'fast' }), { classes })).toEqual({
      type: 'provision',
      provisioner: 'fast.example',
    })
    expect(plan(claim({ storageClassName: 'fast' }))).toMatchObject({
      type: 'fail',
      notice: { reason: 'ProvisioningFailed' },
    })
  })

  it('waits where it wants no class, and takes the newest default where it names none', () => {
    const standard = { 'storageclass.kubernetes.io/is-default-class': 'true' }
    const classes = [storageClass('a', {}, standard), storageClass('bb', {}, standard)]
    expect(plan(claim(), { classes })).toEqual({ type: 'assign', storageClass: 'bb' })
    expect(plan(claim({ storageClassName: '' }), { classes })).toMatchObject({
      type: 'wait',
      notice: { reason: 'FailedBinding' },
    })
  })

  it('waits for its first consumer where the class says so', () => {
    const classes = [storageClass('lazy', { volumeBindingMode: 'WaitForFirstConsumer' })]
    const lazy = claim({ storageClassName: 'lazy' })
    const volumes = [volume('v', { storageClassName: 'lazy' })]
    expect(plan(lazy, { classes, volumes }).notice.reason).toBe('WaitForFirstConsumer')
    expect(plan(lazy, { classes, waitingPods: ['a', 'b'] }).notice).toMatchObject({
      reason: 'WaitForPodScheduled',
      message: 'waiting for pods a,b to be scheduled',
    })
    const selected = claim({ storageClassName: 'lazy' }, { 'volume.kubernetes.io/selected-node': 'n' })
    expect(plan(selected, { classes }).type).toBe('provision')
    expect(plan(selected, { classes, volumes }).type).toBe('bind')
    expect(plan(lazy, { classes, placed: true }).type).toBe('provision')
  })

  it('that names a volume gets it, or an event with the reason', () => {
    const named = claim({ volumeName: 'v' })
    expect(plan(named)).toEqual({ type: 'wait' })
    expect(plan(named, { volumes: [volume('v')] }).type).toBe('bind')
    expect(plan(named, { volumes: [volume('v', { capacity: { storage: '1Mi' } })] }).notice.reason).toBe(
      'VolumeMismatch',
    )
    expect(plan(named, { volumes: [volume('v', taken)] }).notice).toMatchObject({
      reason: 'FailedBinding',
      message: 'volume "v" already bound to a different claim.',
    })
  })

  it('is lost when its volume is gone', () => {
    const bound = claim({ volumeName: 'v' }, COMPLETED)
    expect(plan(bound, { volumes: [volume('v')] }).type).toBe('bind')
    expect(plan(bound).notice.reason).toBe('ClaimLost')
    expect(plan(claim({}, COMPLETED)).notice.reason).toBe('ClaimLost')
    expect(plan(bound, { volumes: [volume('v', taken)] }).notice.reason).toBe('ClaimMisbound')
  })
})
