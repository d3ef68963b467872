import type { Pod } from '@homeostat/api/kinds'

/** The claims that a Pod uses. */
export function claimNames(pod: Pod): string[] {
  return (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return [persistentVolumeClaim.claimName]
    return ephemeral ? [`${pod.metadata.name}-${name}`] : []
  })
}
