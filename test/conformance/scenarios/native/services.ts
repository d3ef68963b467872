import { service, services } from '../../objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { create, merge, replace } from '../../steps.ts'

/** Services. */
export const serviceKind: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'Services are given addresses',
    create(services, service('a')),
    create(services, service('b', { clusterIP: 'None' })),
    create(services, service('c', { type: 'NodePort' })),
    create(services, service('d', { type: 'LoadBalancer' })),
    create(services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'e' },
      spec: { type: 'ExternalName', externalName: 'db.example.com' },
    }),
  ),
  scenario(
    'B native kinds',
    'Services are refused',
    create(services, service('a', { ports: [] })),
    create(services, service('a', { ports: [{ port: 80 }, { port: 81 }] })),
    create(services, service('a', { ports: [{ port: 0 }] })),
    create(services, service('a', { type: 'Strange' })),
    create(services, service('a', { clusterIP: '1.2.3.4' })),
    create(services, service('a', { clusterIP: 'nonsense' })),
    create(services, service('a', { sessionAffinity: 'Sometimes' })),
    create(services, service('a', { type: 'ExternalName' })),
  ),
  scenario(
    'B native kinds',
    'Services that change',
    create(services, service('a')),
    merge(`${services}/a`, { spec: { type: 'NodePort' } }),
    merge(`${services}/a`, { spec: { type: 'ClusterIP' } }),
    merge(`${services}/a`, { spec: { clusterIP: '10.96.0.200' } }, { ignore: ['message', 'details'] }),
    merge(`${services}/a`, { spec: { type: 'ExternalName', externalName: 'x.example.com' } }),
    replace(`${services}/a`, service('a')),
  ),
]
