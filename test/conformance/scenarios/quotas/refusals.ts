import { scenario, type Scenario } from '../../scenario.ts'
import { create } from '../../steps.ts'
import { quotas, type Amounts, type Fields } from './quota-steps.ts'
import { selector } from './scopes.ts'

const asked = (title: string, hard: Amounts, spec: Fields = {}): Scenario =>
  scenario(
    'B native kinds',
    `quota: written with ${title}`,
    create(`${quotas}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'a' },
      spec: { hard, ...spec },
    }),
  )

/** Quotas with amounts, names and scopes that the server takes or refuses. */
export const refusals: readonly Scenario[] = [
  asked('a negative amount', { pods: '-1' }),
  asked('a part of a Pod', { pods: '1.5' }),
  asked('names that no quota has', {
    'count/pods': '1',
    'count/foo.bar': '1',
    'count/a b': '2',
    foo: '1',
  }),
  asked('names of devices', {
    'requests.example.com/gpu': '1.5',
    'limits.example.com/gpu': '1',
    'example.com/gpu': '1',
    'a.deviceclass.resource.k8s.io/devices': '1',
  }),
  asked('names of storage classes', {
    'a.storageclass.storage.k8s.io/requests.storage': '1Gi',
    'a.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    'a.storageclass.storage.k8s.io/none': '1',
  }),
  asked('nothing', {}),
  asked('an unknown scope', { pods: '1' }, { scopes: ['Some'] }),
  asked('scopes that exclude each other', { pods: '1' }, { scopes: ['BestEffort', 'NotBestEffort'] }),
  asked('a scope without a resource for it', { cpu: '1' }, { scopes: ['BestEffort'] }),
  asked('a scope of Pods for Services', { services: '1' }, { scopes: ['Terminating'] }),
  asked('a scope that needs values', { pods: '1' }, { scopes: ['PriorityClass'] }),
  asked('a selector without values', { pods: '1' }, selector('PriorityClass', 'In')),
  asked('a selector with values too many', { pods: '1' }, selector('PriorityClass', 'Exists', ['x'])),
  asked('a selector that must say Exists', { pods: '1' }, selector('BestEffort', 'In', ['x'])),
  asked('a selector that means nothing', { pods: '1' }, selector('Some', 'Near', ['x'])),
  asked(
    'a selector of claims',
    { persistentvolumeclaims: '1' },
    selector('VolumeAttributesClass', 'In', ['gold']),
  ),
  asked(
    'a selector of claims for Pods',
    { pods: '1', persistentvolumeclaims: '1' },
    selector('VolumeAttributesClass', 'Exists'),
  ),
  asked(
    'a selector of Pods for claims',
    { 'requests.storage': '1Gi' },
    selector('CrossNamespacePodAffinity', 'Exists'),
  ),
]
