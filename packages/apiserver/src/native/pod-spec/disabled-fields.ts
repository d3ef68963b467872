import { isObject, type JsonObject, listOf, objectOf } from '../../schema/index.ts'

/** Drops fields of features that are not switched on by default in Kubernetes 1.36 from the spec of a Pod. */
export function dropFromPodSpec(spec: JsonObject): void {
  delete spec['schedulingGroup']
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of listOf(spec[kind]).filter(isObject)) {
      const { lifecycle } = container
      if (!isObject(lifecycle) || lifecycle['stopSignal'] === undefined) continue
      delete lifecycle['stopSignal']
      if (!lifecycle['postStart'] && !lifecycle['preStop']) delete container['lifecycle']
    }
  }
  for (const volume of listOf(spec['volumes'])) {
    for (const source of listOf(objectOf(objectOf(volume)['projected'])['sources']).filter(isObject)) {
      delete source['clusterTrustBundle']
      delete source['podCertificate']
    }
  }
}

/** Drops such fields from the Pod template in the spec of a workload. */
export function dropFromTemplate({ spec }: JsonObject): void {
  dropFromPodSpec(objectOf(objectOf(objectOf(spec)['template'])['spec']))
}

/** Drops such fields from the status of a Pod, in place. What the status contains is not changed. */
export function dropFromPodStatus(status: JsonObject): void {
  delete status['nodeAllocatableResourceClaimStatuses']
  for (const field of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']) {
    const containers = listOf(status[field])
    if (containers.some(hasVolumeStatus)) status[field] = containers.map(withoutVolumeStatuses)
  }
}

function hasVolumeStatus(container: unknown): boolean {
  return listOf(objectOf(container)['volumeMounts']).some(
    (mount) => objectOf(mount)['volumeStatus'] !== undefined,
  )
}

function withoutVolumeStatuses(container: unknown): JsonObject {
  const volumeMounts = listOf(objectOf(container)['volumeMounts']).map((mount) => {
    const { volumeStatus: _, ...rest } = objectOf(mount)
    return rest
  })
  return { ...objectOf(container), ...(volumeMounts.length > 0 && { volumeMounts }) }
}
