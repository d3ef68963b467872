import { expect, test } from 'vitest'
import { podOptions } from './pod-options.ts'

test('outside a Pod there is no election and no page', () => {
  expect(podOptions('at', {})).toEqual({})
})

test('in a Pod one process leads, and its pages are where a kubelet reaches them', () => {
  expect(podOptions('at', { KUBERNETES_SERVICE_HOST: '10.96.0.1' })).toEqual({
    leaderElection: { name: 'at', releaseOnStop: true },
    metrics: { host: '0.0.0.0' },
    health: { host: '0.0.0.0' },
  })
})

test('in a Pod of the local cluster its pages keep to the address of the Pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: '127.0.0.1', HOMEOSTAT_POD_ADDRESS: '127.9.0.7' }
  expect(podOptions('at', env)).toMatchObject({
    metrics: { host: '127.9.0.7' },
    health: { host: '127.9.0.7' },
  })
})
