import { service, services } from '../../objects.ts'
import type { Scenario } from '../../scenario.ts'
import { merge } from '../../steps.ts'
import { claim, claims, deviceClaims, devices, limited, make, only } from './quota-steps.ts'
import { selector } from './scopes.ts'

const GOLD = 'gold.storageclass.storage.k8s.io/'
const GPU = 'gpu.deviceclass.resource.k8s.io/devices'

const nodePorts = {
  type: 'NodePort',
  ports: [
    { name: 'a', port: 80 },
    { name: 'b', port: 81 },
  ],
}
const balanced = { ...nodePorts, type: 'LoadBalancer' }
export const objects: readonly Scenario[] = [
  limited(
    'counts node ports',
    { services: '5', 'services.nodeports': '3' },
    {},
    make(services, service('a')),
    make(services, service('b', nodePorts)),
    make(services, service('c', nodePorts)),
  ),
  limited(
    'counts load balancers',
    { 'services.loadbalancers': '1', 'services.nodeports': '9' },
    {},
    make(services, service('a', balanced)),
    make(services, service('b', balanced)),
    make(services, service('c', nodePorts)),
  ),
  limited(
    'counts no node ports of a load balancer that has none',
    { 'services.nodeports': '0' },
    {},
    make(services, service('a', { ...balanced, allocateLoadBalancerNodePorts: false })),
    make(services, service('b', balanced)),
  ),
  limited(
    'counts a Service whose type changes',
    { services: '3', 'services.nodeports': '2', 'services.loadbalancers': '0' },
    {},
    make(services, service('a', { ...nodePorts, type: 'ClusterIP' })),
    merge(`${services}/a`, { spec: { type: 'NodePort' } }, only),
    merge(`${services}/a`, { spec: { type: 'LoadBalancer' } }, only),
    merge(`${services}/a`, { spec: { type: 'ClusterIP' } }, only),
  ),
  limited(
    'limits storage',
    { 'requests.storage': '10Gi', persistentvolumeclaims: '5' },
    {},
    make(claims, claim('a', '6Gi')),
    make(claims, claim('b', '5Gi')),
    make(claims, claim('c', '4096Mi')),
    make(claims, claim('d', '1')),
  ),
  limited(
    'limits storage of a class',
    { [`${GOLD}requests.storage`]: '1Gi', [`${GOLD}persistentvolumeclaims`]: '2' },
    {},
    make(claims, claim('a', '5Gi')),
    make(claims, claim('b', '5Gi', { storageClassName: 'silver' })),
    make(claims, claim('c', '512Mi', { storageClassName: 'gold' })),
    make(claims, claim('d', '513Mi', { storageClassName: 'gold' })),
    make(
      claims,
      claim('e', '1Mi', {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } }),
    ),
    make(claims, claim('f', '1Mi', { storageClassName: 'gold' })),
  ),
  limited(
    'rounds storage up to bytes',
    { 'requests.storage': '3' },
    {},
    make(claims, claim('a', '1500m')),
    make(claims, claim('b', '1')),
    make(claims, claim('c', '1')),
  ),
  limited(
    'counts claims by their class of attributes',
    { persistentvolumeclaims: '1' },
    selector('VolumeAttributesClass', 'In', ['fast']),
    make(claims, claim('a', '1Gi')),
    make(claims, claim('b', '1Gi', { volumeAttributesClassName: 'fast' })),
    make(claims, claim('c', '1Gi', { volumeAttributesClassName: 'fast' })),
    make(claims, claim('d', '1Gi', { volumeAttributesClassName: 'slow' })),
  ),
  limited(
    'counts devices of a class',
    { [GPU]: '3', 'count/resourceclaims.resource.k8s.io': '5' },
    {},
    make(deviceClaims, devices('a', [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }])),
    make(deviceClaims, devices('b', [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }])),
    make(
      deviceClaims,
      devices('c', [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }]),
    ),
    make(
      deviceClaims,
      devices('d', [
        {
          name: 'r',
          firstAvailable: [
            { name: 'x', deviceClassName: 'gpu', count: 1 },
            { name: 'y', deviceClassName: 'tpu', count: 9 },
          ],
        },
      ]),
    ),
    make(deviceClaims, devices('e', [{ name: 'r', exactly: { deviceClassName: 'tpu' } }])),
  ),
]
