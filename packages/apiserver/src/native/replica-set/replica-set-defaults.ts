import { ensureObject } from '../../schema/checks/absent.ts'
import type { JsonObject } from '../../schema/json.ts'
import { defaultPodTemplate } from '../pod-template/pod-defaults.ts'

/** What Kubernetes fills into a ReplicaSet. */
export function defaultReplicaSet(replicaSet: JsonObject): void {
  const spec = ensureObject(replicaSet, 'spec')
  spec['replicas'] ??= 1
  defaultPodTemplate(spec)
}
