import { ensureObject } from '../../checks/index.ts'
import { isObject, type JsonObject, objectOf } from '../../schema/index.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'
import { defaultLabels } from '../workload/template-labels.ts'

/** Sets the defaults of a ReplicationController. Its labels and its selector default to the template's labels. */
export function defaultReplicationController(controller: JsonObject): void {
  const spec = ensureObject(controller, 'spec')
  spec['replicas'] ??= 1
  if (!isObject(spec['template'])) return
  defaultPodTemplate(spec)
  const { labels } = objectOf(spec['template']['metadata'])
  if (!isObject(labels)) return
  if (Object.keys(objectOf(spec['selector'])).length === 0) spec['selector'] = { ...labels }
  defaultLabels(controller)
}
