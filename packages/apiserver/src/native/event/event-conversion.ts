import type { ResourceDescription, ServerObject } from '../../registry/index.ts'

/** Fields that have different names in `v1` and `events.k8s.io/v1`. */
const RENAMED = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
] as const

/** An event with the field names of the group that serves it. */
export function convertEvent(object: ServerObject, resource: ResourceDescription): ServerObject {
  const toCore = resource.group === ''
  const converted: ServerObject = { ...object, apiVersion: toCore ? 'v1' : 'events.k8s.io/v1' }
  for (const [core, other] of RENAMED) {
    const [from, to] = toCore ? [other, core] : [core, other]
    if (converted[from] === undefined) continue
    converted[to] = converted[from]
    delete converted[from]
  }
  // The core group always has these fields; `events.k8s.io` leaves out empty ones.
  if (!toCore) {
    for (const field of ['reportingController', 'reportingInstance']) {
      if (converted[field] === '') delete converted[field]
    }
  }
  return converted
}
