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

/** The given kinds, those of what is made for their objects, and Events. Each once. */
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
