import { invalidValue, type FieldError } from '../../schema/field-error.ts'
import { equalJson, isObject, listOf } from '../../schema/json.ts'
import type { KindRules, RulesContext } from '../kind-rules.ts'
import { specOf, statusOf, textOf, type ServerObject } from '../server-object.ts'

const SERVICES = '/services'
/** Addresses come from 10.96.0.0/16, of which the first is the API server's own. */
const NETWORK = '10.96'
const ADDRESSES = 65_536
const FIRST_ADDRESS = 2
const ADDRESS_FIELDS = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
const FIRST_NODE_PORT = 30_000
const NODE_PORTS = 2_768

/** A Service gets an address of its own, and ports of the nodes where its type needs them. */
export const serviceRules: KindRules = {
  createOnUpdate: true,
  returnsDeleted: true,
  names: 'label',
  fieldNames: ['spec.clusterIP', 'spec.type'],
  prepareCreate(object) {
    object['status'] = { loadBalancer: {} }
  },
  prepareUpdate(object, old) {
    keepAllocated(object, old)
    dropWithType(object, old)
  },
  allocate(object, _old, context) {
    return [...allocateAddress(object, context), ...allocateNodePorts(object, context)]
  },
}

/** What a writer leaves out of what was allocated stays as it is. */
function keepAllocated(object: ServerObject, old: ServerObject): void {
  const spec = { ...specOf(object) }
  const before = specOf(old)
  object['spec'] = spec
  if (spec['type'] !== 'ExternalName') {
    for (const field of ADDRESS_FIELDS) {
      if (spec[field] === undefined && before[field] !== undefined) spec[field] = before[field]
    }
  }
  if (!needsNodePorts(spec) || !needsNodePorts(before)) return
  const known = new Map(portsOf(before).map((port) => [portKey(port), port['nodePort']]))
  spec['ports'] = portsOf(spec).map((port) => {
    const had = known.get(portKey(port))
    return port['nodePort'] === undefined && had !== undefined ? { ...port, nodePort: had } : port
  })
}

/** What only the type before had any use for goes with it, unless the writer changed it as well. */
function dropWithType(object: ServerObject, old: ServerObject): void {
  const spec = { ...specOf(object) }
  const before = specOf(old)
  object['spec'] = spec
  const drop = (fields: readonly string[]): void => {
    for (const field of fields) if (equalJson(spec[field], before[field])) delete spec[field]
  }
  if (before['type'] !== 'ExternalName' && spec['type'] === 'ExternalName') {
    drop([...ADDRESS_FIELDS, 'internalTrafficPolicy'])
  }
  if (before['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    drop(['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort'])
  }
  if (isExternal(before) && !isExternal(spec)) drop(['externalTrafficPolicy'])
  if (needsNodePorts(before) && !needsNodePorts(spec)) {
    const had = new Set(portsOf(before).map((port) => port['nodePort']))
    spec['ports'] = portsOf(spec).map(({ nodePort, ...port }) =>
      nodePort === undefined || had.has(nodePort) ? port : { ...port, nodePort },
    )
  }
  if (spec['type'] !== 'LoadBalancer') object['status'] = { ...statusOf(object), loadBalancer: {} }
}

/** Whether the Service is reached from outside of the cluster. */
function isExternal(spec: Record<string, unknown>): boolean {
  return (
    spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer' || listOf(spec['externalIPs']).length > 0
  )
}

function allocateAddress(object: ServerObject, context: RulesContext): FieldError[] {
  const spec = { ...specOf(object) }
  object['spec'] = spec
  if (spec['type'] === 'ExternalName') {
    return []
  }
  const asked = spec['clusterIP'] ?? listOf(spec['clusterIPs'])[0]
  const used = usedBy(context, object, (other) => [specOf(other)['clusterIP']])
  if (typeof asked === 'string' && asked !== '' && asked !== 'None' && used.has(asked)) {
    const detail = `failed to allocate IP ${asked}: provided IP is already allocated`
    return [invalidValue('spec.clusterIPs', [asked], detail)]
  }
  const address = typeof asked === 'string' && asked !== '' ? asked : freeAddress(used, context)
  if (address === undefined) {
    return [invalidValue('spec.clusterIPs', [], 'failed to allocate a serviceIP: range is full')]
  }
  spec['clusterIP'] = address
  spec['clusterIPs'] = [address]
  spec['ipFamilies'] ??= ['IPv4']
  spec['ipFamilyPolicy'] ??= 'SingleStack'
  return []
}

/** A free one, from a place that chance decides: an address that was just freed is not taken at once. */
function freeAddress(used: ReadonlySet<unknown>, context: RulesContext): string | undefined {
  const count = ADDRESSES - FIRST_ADDRESS - 1
  const start = Math.floor(context.clock.random() * count)
  for (let step = 0; step < count; step++) {
    const number = FIRST_ADDRESS + ((start + step) % count)
    const address = `${NETWORK}.${number >> 8}.${number & 255}`
    if (!used.has(address)) return address
  }
  return undefined
}

function allocateNodePorts(object: ServerObject, context: RulesContext): FieldError[] {
  const spec = specOf(object)
  if (!needsNodePorts(spec)) return []
  const used = usedBy(context, object, (other) => portsOf(specOf(other)).map((port) => port['nodePort']))
  const problems: FieldError[] = []
  const ports = portsOf(spec).map((port, index) => {
    const { nodePort } = port
    if (nodePort !== undefined && nodePort !== 0) {
      if (used.has(nodePort)) {
        problems.push(
          invalidValue(`spec.ports[${index}].nodePort`, nodePort, 'provided port is already allocated'),
        )
      }
      return port
    }
    const start = Math.floor(context.clock.random() * NODE_PORTS)
    for (let step = 0; step < NODE_PORTS; step++) {
      const free = FIRST_NODE_PORT + ((start + step) % NODE_PORTS)
      if (used.has(free)) continue
      used.add(free)
      return { ...port, nodePort: free }
    }
    problems.push(
      invalidValue(`spec.ports[${index}].nodePort`, 0, 'failed to allocate a nodePort: range is full'),
    )
    return port
  })
  object['spec'] = { ...spec, ports }
  return problems
}

function usedBy(
  context: RulesContext,
  object: ServerObject,
  what: (other: ServerObject) => readonly unknown[],
): Set<unknown> {
  return new Set(
    context.store
      .snapshot({ collection: SERVICES })
      .map((stored) => stored.value as ServerObject)
      .filter(({ metadata }) => metadata.uid !== object.metadata.uid)
      .flatMap(what),
  )
}

function needsNodePorts(spec: Record<string, unknown>): boolean {
  return (
    spec['type'] === 'NodePort' ||
    (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false)
  )
}

function portsOf(spec: Record<string, unknown>): Record<string, unknown>[] {
  return listOf(spec['ports']).filter(isObject)
}

function portKey(port: Record<string, unknown>): string {
  return `${textOf(port['protocol'], 'TCP')} ${String(port['port'])}`
}
