import type { Pod } from '@homeostat/api/kinds'

/** A kind of object that Pods take files or variables from. */
export type PodSourceType = 'configMap' | 'secret' | 'claim'

/** Whether a Pod mounts the object of that name in its namespace, or takes variables from it. */
export function podUses(pod: Pod, type: PodSourceType, name: string): boolean {
  const volumes = pod.spec.volumes ?? []
  if (type === 'claim') {
    return volumes.some(
      (volume) =>
        volume.persistentVolumeClaim?.claimName === name ||
        (volume.ephemeral && `${pod.metadata.name}-${volume.name}` === name),
    )
  }
  const sources = volumes.flatMap((volume) => volume.projected?.sources ?? [])
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
  const configMap = type === 'configMap'
  return (
    volumes.some((volume) => (configMap ? volume.configMap?.name : volume.secret?.secretName) === name) ||
    sources.some((source) => source[type]?.name === name) ||
    containers.some(
      ({ env, envFrom }) =>
        env?.some(({ valueFrom }) => valueFrom?.[`${type}KeyRef`]?.name === name) ||
        envFrom?.some((source) => source[`${type}Ref`]?.name === name),
    )
  )
}
