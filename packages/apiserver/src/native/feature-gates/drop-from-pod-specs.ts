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

/** Fields of a Pod that a release does not have yet. */
interface PodFeature {
  /** Whether the spec of a Pod has such fields. They were stored by a server of a later release. */
  isUsed(spec: JsonObject): boolean
  drop(spec: JsonObject): void
}

/** A strategy that also drops fields of a Pod or a template of Pods, unless the stored object has them. */
export function inPodSpecs(
  strategy: KindStrategy,
  { group, kind }: NativeKind,
  feature: PodFeature,
): KindStrategy {
  const path = PATHS[`${group}/${kind}`]
  if (!path) return strategy
  const specOf = (object: JsonObject): JsonObject =>
    path.reduce<JsonObject>((part, name) => objectOf(part[name]), object)
  return {
    ...strategy,
    dropDisabled(object, old) {
      strategy.dropDisabled?.(object, old)
      if (!old || !feature.isUsed(specOf(old))) feature.drop(specOf(object))
    },
  }
}

/** The restart policies of containers. Init containers had `Always`, which makes them sidecars, before. */
export const RESTART_POLICIES: PodFeature = {
  isUsed: (spec) => containersWithPolicy(spec).length > 0,
  drop(spec) {
    for (const container of containersWithPolicy(spec)) delete container['restartPolicy']
  },
}

function containersWithPolicy(spec: JsonObject): JsonObject[] {
  return [
    ...objectsIn(spec['containers']).filter(({ restartPolicy }) => restartPolicy !== undefined),
    ...objectsIn(spec['initContainers']).filter(
      ({ restartPolicy }) => restartPolicy !== undefined && restartPolicy !== 'Always',
    ),
  ]
}

/** The volumes that are images, with all mounts of them. */
export const IMAGE_VOLUMES: PodFeature = {
  isUsed: (spec) => objectsIn(spec['volumes']).some(({ image }) => image !== undefined),
  drop: dropImageVolumes,
}

function dropImageVolumes(spec: JsonObject): void {
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
