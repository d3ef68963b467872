import { ensureObject, objectsIn, setDefault } from '../../checks/index.ts'
import { type JsonObject, objectOf } from '../../schema/index.ts'

const THREE_HOURS = 10_800

/** Sets the defaults of a Service, except for its addresses and node ports, which are allocated later. */
export function defaultService(service: JsonObject): void {
  const spec = ensureObject(service, 'spec')
  setDefault(spec, 'type', 'ClusterIP')
  setDefault(spec, 'sessionAffinity', 'None')
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig']
  if (spec['sessionAffinity'] === 'ClientIP') {
    const { timeoutSeconds } = objectOf(objectOf(spec['sessionAffinityConfig'])['clientIP'])
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: timeoutSeconds ?? THREE_HOURS } }
  }
  for (const port of objectsIn(spec['ports'])) {
    setDefault(port, 'protocol', 'TCP')
    if (!port['targetPort']) port['targetPort'] = port['port']
  }
  const { type } = spec
  const outside = type === 'LoadBalancer' || type === 'NodePort'
  const external =
    type === 'ClusterIP' && Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0
  if (outside || external) setDefault(spec, 'externalTrafficPolicy', 'Cluster')
  if (outside || type === 'ClusterIP') spec['internalTrafficPolicy'] ??= 'Cluster'
  if (type !== 'LoadBalancer') return
  spec['allocateLoadBalancerNodePorts'] ??= true
  for (const ingress of objectsIn(objectOf(objectOf(service['status'])['loadBalancer'])['ingress'])) {
    if (ingress['ip']) ingress['ipMode'] ??= 'VIP'
  }
}
