import { fieldsAt, type KindStrategy, type ServerObject, specOf, statusOf } from '../../registry/index.ts'
import { equalJson, isObject, listOf } from '../../schema/index.ts'
import { allocateAddresses } from './allocate-addresses.ts'
import { allocateNodePorts, getsNodePorts, usesNodePorts } from './allocate-node-ports.ts'
import { isExternal, needsHealthCheck } from './service-validation.ts'

type Spec = Record<string, unknown>

/** Services get an address, and node ports where their type needs them. */
export const serviceStrategy: KindStrategy = {
  createOnUpdate: true,
  returnsDeleted: true,
  names: 'label',
  fieldLabels: { read: fieldsAt('spec.clusterIP', 'spec.type') },
  prepareCreate(object) {
    object['status'] = { loadBalancer: {} }
  },
  prepareUpdate(object, old) {
    keepAllocated(object, old)
    followAddress(specOf(object), specOf(old))
    releaseFamily(specOf(object), specOf(old))
  },
  allocate(object, old, context) {
    if (!old) {
      const spec = { ...specOf(object) }
      object['spec'] = spec
      if (listOf(spec['clusterIPs']).length === 0 && spec['clusterIP'])
        spec['clusterIPs'] = [spec['clusterIP']]
    }
    const problems = allocateAddresses(object, old, context)
    if (problems.length > 0) return problems
    const refused = allocateNodePorts(object, old, context)
    if (refused.length > 0) return refused
    if (old) dropWithType(object, old)
    // An ExternalName Service has no `internalTrafficPolicy`.
    const spec = specOf(object)
    const { type, internalTrafficPolicy } = spec
    // Validation refuses an unknown policy.
    if (type === 'ExternalName' && isTrafficPolicy(internalTrafficPolicy))
      delete spec['internalTrafficPolicy']
    return []
  },
}

function isTrafficPolicy(value: unknown): boolean {
  return value === 'Cluster' || value === 'Local'
}

/** Keeps allocated addresses and ports that an update leaves out. */
function keepAllocated(object: ServerObject, old: ServerObject): void {
  const spec = { ...specOf(object) }
  const before = specOf(old)
  object['spec'] = spec
  if (spec['type'] !== 'ExternalName' && before['type'] !== 'ExternalName') {
    spec['clusterIP'] ||= before['clusterIP']
    if (listOf(spec['clusterIPs']).length === 0 && before['clusterIPs'])
      spec['clusterIPs'] = before['clusterIPs']
    spec['ipFamilyPolicy'] ??= before['ipFamilyPolicy']
  }
  for (const [name, value] of Object.entries(spec)) if (value === undefined) delete spec[name]
  if (needsHealthCheck(spec) && needsHealthCheck(before) && !spec['healthCheckNodePort']) {
    spec['healthCheckNodePort'] = before['healthCheckNodePort']
  }
  if (!getsNodePorts(spec) || !getsNodePorts(before)) return
  const [ports, had] = [portsOf(spec), portsOf(before)]
  const kept = new Set(ports.map(({ nodePort }) => nodePort))
  const byName = new Map(had.map((port) => [port['name'] ?? '', port['nodePort']]))
  spec['ports'] = ports.map((port) => {
    const nodePort = byName.get(port['name'] ?? '')
    return port['nodePort'] || !nodePort || kept.has(nodePort) ? port : { ...port, nodePort }
  })
}

/** Where a client changes only `clusterIP`, `clusterIPs` follows. */
function followAddress(spec: Spec, before: Spec): void {
  if (!spec['clusterIP'] || spec['clusterIP'] === before['clusterIP']) return
  if (!before['clusterIP'] && listOf(spec['clusterIPs']).length > 0) return
  if (equalJson(spec['clusterIPs'], before['clusterIPs'])) spec['clusterIPs'] = [spec['clusterIP']]
}

/**
 * A dual-stack Service that becomes single-stack, and names the same addresses or families, keeps the first of them.
 */
function releaseFamily(spec: Spec, before: Spec): void {
  if (spec['ipFamilyPolicy'] !== 'SingleStack' || before['ipFamilyPolicy'] === 'SingleStack') return
  const families = listOf(spec['ipFamilies'])
  if (families.length === 2 && equalJson(families, before['ipFamilies']))
    spec['ipFamilies'] = families.slice(0, 1)
}

/** Drops the fields that only the former type used, unless the update changed them as well. */
function dropWithType(object: ServerObject, old: ServerObject): void {
  const spec = { ...specOf(object) }
  const before = specOf(old)
  object['spec'] = spec
  const drop = (...fields: readonly string[]): void => {
    if (fields.every((field) => equalJson(spec[field], before[field]))) {
      for (const field of fields) delete spec[field]
    }
  }
  if (before['type'] !== 'ExternalName' && spec['type'] === 'ExternalName') {
    drop('clusterIP', 'clusterIPs')
    drop('ipFamilies')
    drop('ipFamilyPolicy')
  }
  if (usesNodePorts(before) && !usesNodePorts(spec) && samePorts(spec, before)) {
    spec['ports'] = portsOf(spec).map((port) => {
      const { nodePort: _, ...others } = port
      return others
    })
  }
  if (needsHealthCheck(before) && !needsHealthCheck(spec)) drop('healthCheckNodePort')
  if (before['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts')
    drop('loadBalancerClass')
  }
  if (isExternal(before) && !isExternal(spec)) drop('externalTrafficPolicy')
  if (spec['type'] !== 'LoadBalancer') object['status'] = { ...statusOf(object), loadBalancer: {} }
}

/** Whether all node ports of a Service are the ones that it had before. */
function samePorts(spec: Spec, before: Spec): boolean {
  const had = new Set(portsOf(before).map(({ nodePort }) => nodePort))
  return portsOf(spec).every(({ nodePort }) => !nodePort || had.has(nodePort))
}

function portsOf(spec: Spec): Spec[] {
  return listOf(spec['ports']).filter(isObject)
}
