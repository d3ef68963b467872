import { describe, expect, it } from 'vitest'
import { clusterNames, isClusterAddress, isOwnHost } from './cluster-names.ts'

const service = (name: string, namespace: string) => ({ type: 'service', namespace, name })
const endpoint = (hostname: string, name: string, namespace: string) => ({
  type: 'endpoint',
  namespace,
  name,
  hostname,
})

describe('a name, to a Pod of the namespace shop', () => {
  it.each([
    ['web', [service('web', 'shop')]],
    ['web.other', [endpoint('web', 'other', 'shop'), service('web', 'other')]],
    ['web.other.svc', [endpoint('web', 'other', 'svc'), service('web', 'other')]],
    ['web.other.svc.cluster.local', [service('web', 'other')]],
    ['web.other.svc.cluster.local.', [service('web', 'other')]],
    ['WEB', [service('web', 'shop')]],
    ['db-0.db', [endpoint('db-0', 'db', 'shop'), service('db-0', 'db')]],
    ['db-0.db.other', [endpoint('db-0', 'db', 'other')]],
    ['db-0.db.other.svc.cluster.local', [endpoint('db-0', 'db', 'other')]],
    ['kubernetes.default.svc', [endpoint('kubernetes', 'default', 'svc'), service('kubernetes', 'default')]],
    [
      '10-244-0-2.shop.pod',
      [endpoint('10-244-0-2', 'shop', 'pod'), { type: 'address', address: '10.244.0.2' }],
    ],
    ['10-244-0-2.shop.pod.cluster.local', [{ type: 'address', address: '10.244.0.2' }]],
  ])('%s', (host, expected) => {
    expect(clusterNames(host, 'shop')).toEqual(expected)
  })

  it.each(['', '.', 'web.', 'a..b.', 'example.com.', 'x.pod.cluster.local', 'a'.repeat(254)])(
    '%j does not resolve',
    (host) => {
      expect(clusterNames(host, 'shop').filter(({ type }) => type !== 'endpoint')).toEqual([])
    },
  )
})

describe('an address', () => {
  it('belongs to the cluster if it is of the networks of Pods or Services', () => {
    expect(['10.244.0.2', '10.96.0.1', '10.1.0.1', '10.244.0', 'a10.244.0.2'].map(isClusterAddress)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is the Pod itself for localhost', () => {
    expect(['localhost', 'LOCALHOST', '127.0.0.1', '::1', '127.0.0.2'].map(isOwnHost)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})
