import { ensureObject } from '../../checks/index.ts'
import type { JsonObject } from '../../schema/index.ts'
import { defaultPodTemplate } from '../pod-spec/pod-defaults.ts'

/** Sets the defaults of a ReplicaSet. */
export function defaultReplicaSet(replicaSet: JsonObject): void {
  const spec = ensureObject(replicaSet, 'spec')
  spec['replicas'] ??= 1
  defaultPodTemplate(spec)
}
