import { addressWarnings, networkWarnings } from '../../checks/index.ts'
import { type JsonObject, listOf, objectOf } from '../../schema/index.ts'

export function serviceWarnings(service: JsonObject): string[] {
  const spec = objectOf(service['spec'])
  const { type, clusterIP, loadBalancerIP, externalName, trafficDistribution, sessionAffinity } = spec
  const external = listOf(spec['externalIPs'])
  const headless = type === 'ClusterIP' && clusterIP === 'None'
  const hints = 'service.kubernetes.io/topology-aware-hints'
  const annotated = Object.hasOwn(objectOf(objectOf(service['metadata'])['annotations']), hints)
  const ignored = (field: string): string => `${field} is ignored for headless services`
  return [
    ...(annotated
      ? [`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`]
      : []),
    ...listOf(spec['clusterIPs']).flatMap((one, index) => addressWarnings(one, `spec.clusterIPs[${index}]`)),
    ...(headless && loadBalancerIP ? [ignored('spec.loadBalancerIP')] : []),
    ...(headless && external.length > 0 ? [ignored('spec.externalIPs')] : []),
    ...(headless && sessionAffinity !== 'None' ? [ignored('spec.SessionAffinity')] : []),
    ...external.flatMap((one, index) => addressWarnings(one, `spec.externalIPs[${index}]`)),
    ...(external.length > 0 && !headless && type !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(loadBalancerIP ? addressWarnings(loadBalancerIP, 'spec.loadBalancerIP') : []),
    ...listOf(spec['loadBalancerSourceRanges']).flatMap((one, index) =>
      networkWarnings(one, `spec.loadBalancerSourceRanges[${index}]`),
    ),
    ...(type === 'ExternalName' && external.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== 'ExternalName' && externalName
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ]
}
