import { ConfigMap, Deployment } from '@homeostat/api/kinds'
import { describe, expect, test } from 'vitest'
import { controller } from '../controller/builder.ts'
import type { ControllerOptions } from '../controller/controller.ts'
import { unknownGroupKinds, withDefaults } from './controller-defaults.ts'
import { Manager } from './manager.ts'

const deployments = (options: ControllerOptions = {}) =>
  controller('deployments')
    .for(Deployment)
    .reconcile(() => {}, options)
const configMaps = controller('config-maps')
  .for(ConfigMap)
  .reconcile(() => {})

describe('an option of a manager for all controllers', () => {
  test('applies where a controller does not set it', () => {
    const defaults = { maxConcurrentReconciles: 3, reconcileTimeout: '1m', enableWarmUp: true } as const
    expect(withDefaults(configMaps, defaults).options).toEqual(defaults)
    const own = deployments({ maxConcurrentReconciles: 7, reconcileTimeout: undefined })
    expect(withDefaults(own, defaults).options).toEqual({ ...defaults, maxConcurrentReconciles: 7 })
  })

  test('can name a number of workers for each kind, with the group where it has one', () => {
    const defaults = {
      maxConcurrentReconciles: 2,
      groupKindConcurrency: { 'Deployment.apps': 5, ConfigMap: 4 },
    }
    const workers = (value = deployments()) => withDefaults(value, defaults).options.maxConcurrentReconciles
    expect([workers(), workers(configMaps)]).toEqual([5, 4])
    expect(workers(deployments({ maxConcurrentReconciles: 9 }))).toBe(9)
  })

  test('is compared with the existing controllers', () => {
    const groupKindConcurrency = { Deployment: 5, ConfigMap: 1 }
    expect(unknownGroupKinds({ groupKindConcurrency }, [deployments(), configMaps])).toEqual(['Deployment'])
  })

  test('is refused where it is invalid', () => {
    expect(() => new Manager({ controllers: { maxConcurrentReconciles: 0 } })).toThrow(
      'the option maxConcurrentReconciles of all controllers of the manager must be a whole number of at least 1',
    )
    expect(() => new Manager({ controllers: { groupKindConcurrency: { Pod: 1.5 } } })).toThrow(
      /groupKindConcurrency of the manager is 1.5 for Pod: it must be a whole number of at least 1/,
    )
  })
})
