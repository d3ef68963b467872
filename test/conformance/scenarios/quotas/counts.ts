import {
  configMap,
  configMaps,
  deployment,
  deployments,
  pod,
  pods,
  secret,
  secrets,
  service,
  services,
  widget,
  widgets,
} from '../../objects.ts'
import { create, remove } from '../../steps.ts'
import { claim, claims, limited, make, quota, quotas } from './quota-steps.ts'

const countTitles: readonly (readonly [string, string, string, unknown])[] = [
  ['count/configmaps', configMaps, 'ConfigMaps', configMap('a')],
  ['configmaps', configMaps, 'ConfigMaps by their old name', configMap('a')],
  ['secrets', secrets, 'Secrets by their old name', secret('a')],
  ['count/secrets', secrets, 'Secrets', secret('a')],
  ['count/deployments.apps', deployments, 'Deployments', deployment('a')],
  ['count/widgets.conformance.example.com', widgets, 'objects of a custom kind', widget('a')],
  ['count/services', services, 'Services', service('a')],
  ['count/pods', pods, 'Pods', pod('a')],
  ['pods', pods, 'Pods by their old name', pod('a')],
  ['count/persistentvolumeclaims', claims, 'PersistentVolumeClaims', claim('a', '1Gi')],
  ['persistentvolumeclaims', claims, 'PersistentVolumeClaims by their old name', claim('a', '1Gi')],
  ['count/resourcequotas', quotas, 'ResourceQuotas', quota('a', {})],
  ['resourcequotas', quotas, 'ResourceQuotas by their old name', quota('a', {})],
  [
    'count/leases.coordination.k8s.io',
    '/apis/coordination.k8s.io/v1/~/leases',
    'Leases',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' } },
  ],
  [
    'count/serviceaccounts',
    '/api/v1/~/serviceaccounts',
    'ServiceAccounts',
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } },
  ],
]
const renamed = (body: unknown, name: string): unknown => {
  const object = body as { metadata: object }
  return { ...object, metadata: { ...object.metadata, name } }
}

export const counts = countTitles.map(([name, path, title, body]) =>
  limited(
    `counts ${title}`,
    { [name]: '1' },
    {},
    make(path, body),
    make(path, renamed(body, 'b')),
    create(
      path,
      { ...(renamed(body, '') as object), metadata: { generateName: 'g-' } },
      { ignore: ['message', 'details.name'] },
    ),
    remove(`${path}/a`, undefined, { show: () => 'done' }),
    make(path, renamed(body, 'c')),
  ),
)
