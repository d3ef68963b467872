import {
  address,
  eachObject,
  named,
  network,
  objectsIn,
  oneOf,
  port,
  portOrName,
  qualifiedName,
  requiredOneOf,
} from '../../checks/index.ts'
import {
  bitsOf,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isAddress,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  subdomainProblems,
  textOf,
  validateLabels,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { validateClusterAddresses } from './service-addresses.ts'

/** The transport protocols. */
export const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode'
const TOPOLOGY_HINTS = 'service.kubernetes.io/topology-aware-hints'
const DAY = 86_400

/** Validates the status of a Service. */
export function validateServiceStatus(object: JsonObject, old: JsonObject): FieldError[] {
  const field = 'status.loadBalancer.ingress'
  const ingress = listOf(objectOf(objectOf(object['status'])['loadBalancer'])['ingress'])
  if (objectOf(object['spec'])['type'] !== 'LoadBalancer' && ingress.length > 0) {
    return [forbiddenValue(field, "may only be used when `spec.type` is 'LoadBalancer'")]
  }
  const before = objectsIn(objectOf(objectOf(old['status'])['loadBalancer'])['ingress'])
  return eachObject(ingress, field, (one, at) => ingressErrors(one, at, before))
}

function ingressErrors(ingress: JsonObject, field: string, before: readonly JsonObject[]): FieldError[] {
  const { ip, ipMode } = ingress
  const known = before.map((one) => one['ip']).filter((one) => one)
  const errors = ip ? address(ip, `${field}.ip`, known) : []
  if (ipMode === undefined) {
    if (ip) errors.push(requiredValue(`${field}.ipMode`, 'must be specified when `ip` is set'))
  } else if (!ip) {
    errors.push(forbiddenValue(`${field}.ipMode`, 'may not be specified when `ip` is not set'))
  } else addAll(errors, oneOf(ipMode, ['Proxy', 'VIP'], `${field}.ipMode`))
  return [...errors, ...hostnameErrors(ingress['hostname'], `${field}.hostname`)]
}

/** Validates a host name, where it is set. */
export function hostnameErrors(value: unknown, field: string): FieldError[] {
  const hostname = textOf(value ?? '')
  if (hostname === '') return []
  const errors = named(hostname, field, subdomainProblems)
  if (!isAddress(hostname)) return errors
  return [...errors, invalidValue(field, hostname, 'must be a DNS name, not an IP address')]
}

/** Whether a Service has no address. */
export function isHeadless(spec: JsonObject): boolean {
  const addresses = listOf(spec['clusterIPs'])
  return addresses.length === 1 && addresses[0] === 'None'
}

/** Whether a Service is reachable from outside of the cluster. */
export function isExternal(spec: JsonObject): boolean {
  const { type } = spec
  if (type === 'LoadBalancer' || type === 'NodePort') return true
  return type === 'ClusterIP' && listOf(spec['externalIPs']).length > 0
}

/** Whether a Service needs a health check on nodes. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local'
}

/** Validates a Service. */
export function validateService(object: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const annotations = objectOf(objectOf(object['metadata'])['annotations'])
  const { type } = spec
  const ports = listOf(spec['ports'])
  const errors: FieldError[] = []
  const [mode, hints] = [annotations[TOPOLOGY_MODE], annotations[TOPOLOGY_HINTS]]
  if (mode !== undefined && hints !== undefined && mode !== hints) {
    const detail = `must match annotations[${TOPOLOGY_HINTS}] when both are specified`
    errors.push(invalidValue(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, detail))
  }
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName')
    errors.push(requiredValue('spec.ports'))
  const names = new Set<string>()
  addAll(
    errors,
    typeErrors(spec),
    eachObject(ports, 'spec.ports', (item, at) => portErrors(item, at, ports.length > 1, names)),
    validateLabels(spec['selector'], 'spec.selector'),
    affinityErrors(spec),
    validateClusterAddresses(spec, old && objectOf(old['spec'])),
    externalAddressErrors(spec, old),
    requiredOneOf(type, TYPES, 'spec.type'),
    portRelations(spec),
    rangeErrors(spec, annotations, old),
  )
  const balancer = type === 'LoadBalancer'
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && !balancer) {
    const detail = "may only be used when `type` is 'LoadBalancer'"
    errors.push(forbiddenValue('spec.allocateLoadBalancerNodePorts', detail))
  }
  return [...errors, ...validateBalancerClass(spec), ...trafficErrors(spec)]
}

/** Validates the class of the load balancer. */
export function validateBalancerClass(spec: JsonObject): FieldError[] {
  const { loadBalancerClass } = spec
  if (loadBalancerClass === undefined) return []
  if (spec['type'] === 'LoadBalancer') return qualifiedName(loadBalancerClass, 'spec.loadBalancerClass')
  return [forbiddenValue('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'")]
}

function typeErrors(spec: JsonObject): FieldError[] {
  const { type } = spec
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    return [invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)]
  }
  if (type !== 'ExternalName') return []
  const errors: FieldError[] = []
  for (const name of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    const value = spec[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    errors.push(forbiddenValue(`spec.${name}`, 'may not be set for ExternalName services'))
  }
  const name = textOf(spec['externalName'] ?? '').replace(/\.$/, '')
  if (name === '') return [...errors, requiredValue('spec.externalName')]
  return [...errors, ...named(name, 'spec.externalName', subdomainProblems)]
}

function portErrors(item: JsonObject, field: string, several: boolean, names: Set<string>): FieldError[] {
  const errors: FieldError[] = []
  const name = textOf(item['name'] ?? '')
  if (name === '') {
    if (several) errors.push(requiredValue(`${field}.name`))
  } else {
    addAll(errors, named(name, `${field}.name`, labelProblems))
    if (names.has(name)) errors.push(duplicateValue(`${field}.name`, name))
    names.add(name)
  }
  addAll(
    errors,
    port(item['port'] ?? 0, `${field}.port`),
    requiredOneOf(item['protocol'], PROTOCOLS, `${field}.protocol`),
    portOrName(item['targetPort'], `${field}.targetPort`),
  )
  const { appProtocol } = item
  return appProtocol === undefined
    ? errors
    : [...errors, ...qualifiedName(appProtocol, `${field}.appProtocol`)]
}

function affinityErrors(spec: JsonObject): FieldError[] {
  const { sessionAffinity, sessionAffinityConfig } = spec
  const errors = requiredOneOf(sessionAffinity, ['ClientIP', 'None'], 'spec.sessionAffinity')
  if (sessionAffinity !== 'ClientIP') return errors
  const { timeoutSeconds } = objectOf(objectOf(sessionAffinityConfig)['clientIP'])
  const seconds = Number(timeoutSeconds ?? 0)
  if (seconds > 0 && seconds <= DAY) return errors
  const detail = `must be greater than 0 and less than ${DAY}`
  return [...errors, invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, detail)]
}

function externalAddressErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const before = listOf(objectOf(old?.['spec'])['externalIPs'])
  return listOf(spec['externalIPs']).flatMap((ip, index) => {
    const field = `spec.externalIPs[${index}]`
    const wrong = address(ip, field, before)
    return wrong.length > 0 ? wrong : unicast(textOf(ip), field)
  })
}

/** Validates an address outside of the cluster, which may not be unspecified, loopback or link-local. */
export function unicast(ip: string, field: string): FieldError[] {
  const bits = bitsOf(ip)
  if (bits === undefined) return [invalidValue(field, ip, 'must be a valid IP address')]
  const four = bits.length === 32
  const refuse = (problem: string): FieldError => invalidValue(field, ip, problem)
  const begins = (prefix: number, length: number): boolean =>
    bits.startsWith(prefix.toString(2).padStart(length, '0'))
  const errors: FieldError[] = []
  if (!bits.includes('1')) errors.push(refuse(`may not be unspecified (${ip})`))
  if (four ? begins(127, 8) : /^0+1$/.test(bits)) {
    errors.push(refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)'))
  }
  if (four ? begins(0xa9fe, 16) : begins(0xfe80 >> 6, 10)) {
    errors.push(refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)'))
  }
  if (four ? begins(0xe00000, 24) : begins(0xff, 8) && bits.slice(12, 16) === '0010') {
    errors.push(refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'))
  }
  return errors
}

function portRelations(spec: JsonObject): FieldError[] {
  const ports = objectsIn(spec['ports'])
  const errors: FieldError[] = []
  for (const [index, { nodePort }] of spec['type'] === 'ClusterIP' ? ports.entries() : []) {
    if (!nodePort) continue
    const detail = "may not be used when `type` is 'ClusterIP'"
    errors.push(forbiddenValue(`spec.ports[${index}].nodePort`, detail))
  }
  const nodePorts = new Set<string>()
  for (const [index, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue
    const taken = `${textOf(protocol)}/${textOf(nodePort)}`
    if (nodePorts.has(taken)) errors.push(duplicateValue(`spec.ports[${index}].nodePort`, nodePort))
    nodePorts.add(taken)
  }
  const numbers = new Set<string>()
  for (const [index, { protocol, port: number }] of ports.entries()) {
    const taken = `${textOf(protocol)}/${textOf(number)}`
    if (numbers.has(taken)) errors.push(duplicateValue(`spec.ports[${index}]`, shownPort(protocol, number)))
    numbers.add(taken)
  }
  return errors
}

function shownPort(protocol: unknown, number: unknown): RawJson {
  return RawJson.object(
    ['Name', ''],
    ['Protocol', protocol],
    ['AppProtocol', null],
    ['Port', number],
    ['TargetPort', 0],
    ['NodePort', 0],
  )
}

function rangeErrors(spec: JsonObject, annotations: JsonObject, old: JsonObject | undefined): FieldError[] {
  const ranges = listOf(spec['loadBalancerSourceRanges'])
  const detail = "may only be used when `type` is 'LoadBalancer'"
  const balancer = spec['type'] === 'LoadBalancer'
  if (ranges.length > 0) {
    // Kubernetes' messages have this field name.
    const field = 'spec.LoadBalancerSourceRanges'
    const before = listOf(objectOf(old?.['spec'])['loadBalancerSourceRanges']).map((one) =>
      textOf(one).trim(),
    )
    return [
      ...(balancer ? [] : [forbiddenValue(field, detail)]),
      ...ranges.flatMap((range, index) => network(textOf(range).trim(), `${field}[${index}]`, before)),
    ]
  }
  const value = annotations[RANGES]
  if (value === undefined) return []
  const field = `metadata.annotations[${RANGES}]`
  const errors = balancer ? [] : [forbiddenValue(field, detail)]
  const before = objectOf(objectOf(old?.['metadata'])['annotations'])[RANGES]
  const text = textOf(value).trim()
  if (before === value || text === '') return errors
  return [...errors, ...text.split(',').flatMap((range) => network(range.trim(), field))]
}

function trafficErrors(spec: JsonObject): FieldError[] {
  const { externalTrafficPolicy, healthCheckNodePort } = spec
  const errors: FieldError[] = []
  const field = 'spec.externalTrafficPolicy'
  if (isExternal(spec)) addAll(errors, requiredOneOf(externalTrafficPolicy, ['Cluster', 'Local'], field))
  else if (externalTrafficPolicy !== undefined) {
    const detail = 'may only be set for externally-accessible services'
    errors.push(invalidValue(field, externalTrafficPolicy, detail))
  }
  if (!needsHealthCheck(spec)) {
    if (healthCheckNodePort) {
      const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
      errors.push(invalidValue('spec.healthCheckNodePort', healthCheckNodePort, detail))
    }
  } else if (!healthCheckNodePort) errors.push(requiredValue('spec.healthCheckNodePort'))
  else addAll(errors, port(healthCheckNodePort, 'spec.healthCheckNodePort'))
  return [
    ...errors,
    ...oneOf(spec['internalTrafficPolicy'], ['Cluster', 'Local'], 'spec.internalTrafficPolicy'),
    ...oneOf(spec['trafficDistribution'], DISTRIBUTIONS, 'spec.trafficDistribution'),
  ]
}
