import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf, storedObject } from '../../registry/index.ts'
import { objectOf, textOf } from '../../schema/index.ts'

const LABELS = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** Gives a Pod the zone and the region of its node as labels, when it is created on a node or bound to one. */
export function topologyLabels(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/pods'],
    operations: ['CREATE'],
    submissions: true,
    admit(request) {
      const { object } = request
      const node = object && nodeOf(request, object)
      if (!object || !node) return
      const stored = registry.store.get('/nodes', node)
      if (!stored) return
      const { labels = {} } = storedObject(stored).metadata
      for (const label of LABELS) {
        const value = labels[label]
        if (value !== undefined) object.metadata.labels = { ...object.metadata.labels, [label]: value }
      }
    },
  }
}

/** The node that a new Pod names, or a new binding. */
function nodeOf({ submitted, subresource }: AdmissionRequest, object: ServerObject): string {
  if (!submitted && subresource === undefined) return textOf(specOf(object)['nodeName'] ?? '')
  if (submitted?.kind !== 'Binding') return ''
  const { kind, name } = objectOf(object['target'])
  return kind === 'Node' ? textOf(name ?? '') : ''
}
