import type { ResourceDescription, ServerObject } from '../../registry/index.ts'

/** What `v1` calls what `events.k8s.io/v1` names otherwise. */
const RENAMED = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
] as const

/** An event in the words of the group that serves it. */
export function convertEvent(object: ServerObject, resource: ResourceDescription): ServerObject {
  const toCore = resource.group === ''
  const converted: ServerObject = { ...object, apiVersion: toCore ? 'v1' : 'events.k8s.io/v1' }
  for (const [core, other] of RENAMED) {
    const [from, to] = toCore ? [other, core] : [core, other]
    if (converted[from] === undefined) continue
    converted[to] = converted[from]
    delete converted[from]
  }
  // What one group always names, the other leaves out when it is empty.
  if (!toCore) {
    for (const field of ['reportingController', 'reportingInstance']) {
      if (converted[field] === '') delete converted[field]
    }
  }
  return converted
}
