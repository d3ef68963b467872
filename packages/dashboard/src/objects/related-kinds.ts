import type { PolicyRule } from 'homeostat'
import type { KindName } from '../recording/index.ts'

/** The kinds of the objects that Kubernetes' own controllers make for those of a kind. */
const MADE_FOR = new Map<string, readonly KindName[]>(
  Object.entries({
    'apps/v1 Deployment': [{ apiVersion: 'apps/v1', kind: 'ReplicaSet' }],
    'apps/v1 ReplicaSet': [{ apiVersion: 'v1', kind: 'Pod' }],
    'apps/v1 StatefulSet': [
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'apps/v1', kind: 'ControllerRevision' },
    ],
    'apps/v1 DaemonSet': [
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'apps/v1', kind: 'ControllerRevision' },
    ],
    'batch/v1 CronJob': [{ apiVersion: 'batch/v1', kind: 'Job' }],
    'batch/v1 Job': [{ apiVersion: 'v1', kind: 'Pod' }],
    'v1 Service': [{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' }],
  }),
)

const EVENT: KindName = { apiVersion: 'v1', kind: 'Event' }

/** The given kinds, the kinds of objects that are made for theirs, and Events. Each once. */
export function relatedKinds(given: readonly KindName[]): readonly KindName[] {
  const found = new Map<string, KindName>()
  const waiting = [...given, EVENT]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const name = `${next.apiVersion} ${next.kind}`
    if (found.has(name)) continue
    found.set(name, next)
    waiting.push(...(MADE_FOR.get(name) ?? []))
  }
  return [...found.values()]
}

/** The group and the plural of the kinds that are watched although no controller of the operator names them. */
const RESOURCES = new Map<string, readonly [group: string, resource: string]>(
  Object.entries({
    'apps/v1 ReplicaSet': ['apps', 'replicasets'],
    'apps/v1 ControllerRevision': ['apps', 'controllerrevisions'],
    'batch/v1 Job': ['batch', 'jobs'],
    'discovery.k8s.io/v1 EndpointSlice': ['discovery.k8s.io', 'endpointslices'],
    'v1 Event': ['', 'events'],
    'v1 Pod': ['', 'pods'],
  } as const),
)

/** The rules for reading the kinds that are watched besides those that controllers reconcile and own. */
export function readRules(given: readonly KindName[]): PolicyRule[] {
  const names = new Set(given.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))
  const groups = new Map<string, string[]>()
  for (const { apiVersion, kind } of relatedKinds(given)) {
    const name = `${apiVersion} ${kind}`
    const [group, resource] = RESOURCES.get(name) ?? []
    if (group === undefined || resource === undefined || names.has(name)) continue
    groups.set(group, [...(groups.get(group) ?? []), resource])
  }
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([group, resources]) => ({
      apiGroups: [group],
      resources: resources.toSorted(),
      verbs: ['get', 'list', 'watch'],
    }))
}
