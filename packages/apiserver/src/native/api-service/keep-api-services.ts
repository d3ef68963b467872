import { timestamp } from '@homeostat/api'
import {
  storedObject,
  collectionOf,
  createIfMissing,
  type OwnObject,
  type Registry,
  removeObject,
  type Resource,
} from '../../registry/index.ts'

/** The label of APIServices that the server manages. With the value `true` it also deletes them. */
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged'
const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'
const API_SERVICES = 'apiregistration.k8s.io/apiservices'

/** The priorities of native groups: discovery lists a higher one first. */
const GROUP_PRIORITIES: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    '': 18000,
    apps: 17800,
    'events.k8s.io': 17750,
    'authentication.k8s.io': 17700,
    'authorization.k8s.io': 17600,
    autoscaling: 17500,
    batch: 17400,
    'certificates.k8s.io': 17300,
    'networking.k8s.io': 17200,
    policy: 17100,
    'rbac.authorization.k8s.io': 17000,
    'storage.k8s.io': 16800,
    'admissionregistration.k8s.io': 16700,
    'apiextensions.k8s.io': 16700,
    'scheduling.k8s.io': 16600,
    'coordination.k8s.io': 16500,
    'node.k8s.io': 16300,
    'discovery.k8s.io': 16200,
    'resource.k8s.io': 16200,
    'flowcontrol.apiserver.k8s.io': 16100,
  }),
)
const VERSION_PRIORITIES: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'resource.k8s.io/v1': 21,
}

/** Keeps one APIService for each served group and version, including those that CRDs add and remove. */
export function keepApiServices(registry: Registry): void {
  const ensured = new Set<string>()
  for (const resource of registry.catalogue.all()) {
    if (ensured.has(nameOf(resource))) continue
    ensured.add(nameOf(resource))
    ensureApiService(registry, resource)
  }
  registry.observe(({ resource }) => {
    if (collectionOf(resource) === DEFINITIONS) followDefinitions(registry)
  })
}

function ensureApiService(registry: Registry, resource: Resource): void {
  // The group of APIService itself has no APIService.
  if (resource.group !== 'apiregistration.k8s.io') createIfMissing(registry, apiService(registry, resource))
}

function followDefinitions(registry: Registry): void {
  const served = new Set<string>()
  for (const resource of registry.catalogue.all()) {
    if (!resource.custom) continue
    served.add(nameOf(resource))
    ensureApiService(registry, resource)
  }
  const own = registry.catalogue.find('apiregistration.k8s.io', 'v1', 'apiservices')
  if (!own) return
  for (const stored of registry.store.snapshot({ collection: API_SERVICES })) {
    const { labels } = storedObject(stored).metadata
    if (labels?.[MANAGED] === 'true' && !served.has(stored.key)) removeObject(registry, own, stored.key)
  }
}

function nameOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return `${version}.${group}`
}

function apiService(registry: Registry, { group, version, custom }: Resource): OwnObject {
  const available = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: timestamp(registry.clock.now()),
    reason: 'Local',
    message: 'Local APIServices are always available',
  }
  return {
    object: {
      kind: 'APIService',
      apiVersion: 'apiregistration.k8s.io/v1',
      metadata: {
        name: nameOf({ group, version }),
        labels: { [MANAGED]: custom ? 'true' : 'onstart' },
      },
      spec: {
        ...(group !== '' && { group }),
        version,
        groupPriorityMinimum: GROUP_PRIORITIES.get(group) ?? 1000,
        versionPriority: custom ? 100 : (VERSION_PRIORITIES[`${group}/${version}`] ?? 15),
      },
    },
    unowned: { status: { conditions: [available] } },
  }
}
