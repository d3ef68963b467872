import { objectsIn } from '../../checks/index.ts'
import type { KindStrategy } from '../../registry/index.ts'
import { type JsonObject, objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** Where the specs of Pods are, by kind. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  '/Pod': ['spec'],
  '/PodTemplate': ['template', 'spec'],
  '/ReplicationController': ['spec', 'template', 'spec'],
  'apps/DaemonSet': ['spec', 'template', 'spec'],
  'apps/Deployment': ['spec', 'template', 'spec'],
  'apps/ReplicaSet': ['spec', 'template', 'spec'],
  'apps/StatefulSet': ['spec', 'template', 'spec'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'batch/Job': ['spec', 'template', 'spec'],
}

/** A strategy that also drops fields of a Pod or a template of Pods. */
export function inPodSpecs(
  strategy: KindStrategy,
  { group, kind }: NativeKind,
  drop: (spec: JsonObject) => void,
): KindStrategy {
  const path = PATHS[`${group}/${kind}`]
  if (!path) return strategy
  return {
    ...strategy,
    dropDisabled(object) {
      strategy.dropDisabled?.(object)
      drop(path.reduce<JsonObject>((part, name) => objectOf(part[name]), object))
    },
  }
}

/** Drops the restart policies of containers. Init containers keep `Always`, which makes them sidecars. */
export function dropRestartPolicies(spec: JsonObject): void {
  for (const container of objectsIn(spec['containers'])) delete container['restartPolicy']
  for (const container of objectsIn(spec['initContainers'])) {
    if (container['restartPolicy'] !== 'Always') delete container['restartPolicy']
  }
}

/** Drops the volumes that are images, with all mounts of them. */
export function dropImageVolumes(spec: JsonObject): void {
  const volumes = objectsIn(spec['volumes'])
  const dropped = new Set(volumes.filter(({ image }) => image !== undefined).map(({ name }) => name))
  if (dropped.size === 0) return
  setList(
    spec,
    'volumes',
    volumes.filter(({ name, image }) => image === undefined || !dropped.has(name)),
  )
  for (const kind of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of objectsIn(spec[kind])) {
      const mounts = objectsIn(container['volumeMounts'])
      setList(
        container,
        'volumeMounts',
        mounts.filter(({ name }) => !dropped.has(name)),
      )
    }
  }
}

function setList(object: JsonObject, field: string, list: readonly JsonObject[]): void {
  if (list.length > 0) object[field] = list
  else delete object[field]
}
