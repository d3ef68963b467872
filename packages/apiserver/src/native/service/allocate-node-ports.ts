import { failure } from '@homeostat/api'
import {
  Failure,
  type ServerObject,
  specOf,
  storedObject,
  type StrategyContext,
} from '../../registry/index.ts'
import { type FieldError, invalidValue, isObject, listOf } from '../../schema/index.ts'
import { needsHealthCheck } from './service-validation.ts'

const FIRST = 30_000
const LAST = 32_767

type Spec = Record<string, unknown>

/** Whether a Service has node ports. */
export function usesNodePorts(spec: Spec): boolean {
  return spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer'
}

/** Whether the server allocates the node ports of a Service. */
export function getsNodePorts(spec: Spec): boolean {
  return (
    usesNodePorts(spec) && (spec['type'] === 'NodePort' || spec['allocateLoadBalancerNodePorts'] !== false)
  )
}

/** Allocates the node ports of a Service: those that it names, and free ones for the others. */
export function allocateNodePorts(
  object: ServerObject,
  old: ServerObject | undefined,
  context: StrategyContext,
): FieldError[] {
  const spec = specOf(object)
  const ports = new Ports(context)
  if (usesNodePorts(spec)) {
    const problems = old ? allocateChanged(spec, specOf(old), ports) : allocateNew(spec, ports)
    if (problems.length > 0) return problems
  }
  if (!needsHealthCheck(spec) || (old && needsHealthCheck(specOf(old)))) return []
  const asked = Number(spec['healthCheckNodePort'] ?? 0)
  if (asked === 0) {
    spec['healthCheckNodePort'] = ports.next()
    return []
  }
  const problem = ports.take(asked)
  if (problem === undefined) return []
  throw new Failure(
    failure.internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`),
  )
}

/** Allocates the ports of a new Service. The same port with two protocols gets the same node port. */
function allocateNew(spec: Spec, ports: Ports): FieldError[] {
  const wanted = portsIn(spec)
  const given = new Map<unknown, number>()
  return eachPort(spec, (port, own) => {
    const already = given.get(port['port'])
    if (already === undefined) {
      const asked = wanted.find((one) => one['port'] === port['port'] && one['nodePort'])?.['nodePort']
      const nodePort = Number(asked ?? 0) || ports.next()
      given.set(port['port'], nodePort)
      return { nodePort, problem: asked ? ports.take(nodePort) : undefined }
    }
    if (own === 0 || own === already) return { nodePort: already }
    return { nodePort: own, problem: ports.take(own) }
  })
}

/** Allocates the ports of a Service that has ports already: it keeps those, and each port without one gets its own. */
function allocateChanged(spec: Spec, before: Spec, ports: Ports): FieldError[] {
  const kept = new Set(nodePortsOf(before))
  return eachPort(spec, (_port, own) => {
    if (own === 0) return { nodePort: ports.next() }
    const problem = kept.has(own) ? undefined : ports.take(own)
    kept.add(own)
    return { nodePort: own, problem }
  })
}

/** Sets the node ports of a Service, if it gets any. Stops at the first that cannot be allocated. */
function eachPort(
  spec: Spec,
  allocate: (port: Spec, own: number) => { nodePort: number; problem?: string | undefined },
): FieldError[] {
  const automatic = spec['type'] === 'NodePort' || spec['allocateLoadBalancerNodePorts'] !== false
  const problems: FieldError[] = []
  spec['ports'] = portsIn(spec).map((port, index) => {
    const own = Number(port['nodePort'] ?? 0)
    if ((own === 0 && !automatic) || problems.length > 0) return port
    const { nodePort, problem } = allocate(port, own)
    if (problem !== undefined) problems.push(invalidValue(`spec.ports[${index}].nodePort`, nodePort, problem))
    return { ...port, nodePort }
  })
  return problems
}

/** A dry run gives the ports after this one, if the Service names none. */
const DRY_RUN_AFTER = 32_768

/** The allocated node ports. As in Kubernetes, a dry run does not look at the range of ports. */
class Ports {
  readonly #context: StrategyContext
  readonly #used = new Set<number>()
  readonly #given = new Set<number>()

  constructor(context: StrategyContext) {
    this.#context = context
    for (const stored of context.store.snapshot({ collection: '/services' })) {
      const spec = specOf(storedObject(stored))
      for (const port of [...nodePortsOf(spec), Number(spec['healthCheckNodePort'] ?? 0)])
        this.#used.add(port)
    }
  }

  /** Allocates a port. Returns why it cannot be allocated; `undefined` on success. */
  take(port: number): string | undefined {
    if (!this.#context.dryRun && (port < FIRST || port > LAST)) {
      return `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`
    }
    if (this.#used.has(port) || this.#given.has(port)) return 'provided port is already allocated'
    this.#given.add(port)
    return undefined
  }

  /** A free port, searched from a random offset. A dry run gives the one after the last that it has given. */
  next(): number {
    const port = this.#context.dryRun ? this.#numbered() : this.#free()
    this.#given.add(port)
    return port
  }

  #numbered(): number {
    let last = this.#given.size === 0 ? DRY_RUN_AFTER : 0
    for (const port of this.#given) last = Math.max(last, port)
    return last + 1
  }

  #free(): number {
    const count = LAST - FIRST + 1
    const start = Math.floor(this.#context.clock.random() * count)
    for (let step = 0; step < count; step++) {
      const port = FIRST + ((start + step) % count)
      if (!this.#used.has(port) && !this.#given.has(port)) return port
    }
    throw new Failure(failure.internalError('failed to allocate a nodePort: range is full'))
  }
}

function portsIn(spec: Spec): Spec[] {
  return listOf(spec['ports']).filter(isObject)
}

function nodePortsOf(spec: Spec): number[] {
  return portsIn(spec).flatMap(({ nodePort }) => (nodePort ? [Number(nodePort)] : []))
}
