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

/** Allocates the node ports of a Service: those that it names, and free ones for the others. */
export function allocateNodePorts(
  object: ServerObject,
  old: ServerObject | undefined,
  context: StrategyContext,
): FieldError[] {
  const spec = specOf(object)
  const ports = new Ports(context, object, old)
  if (usesNodePorts(spec)) {
    const problems = allocate(spec, ports)
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

function allocate(spec: Spec, ports: Ports): FieldError[] {
  const wanted = listOf(spec['ports']).filter(isObject)
  const automatic = spec['type'] === 'NodePort' || spec['allocateLoadBalancerNodePorts'] !== false
  /** The same port with two protocols gets the same node port. */
  const given = new Map<unknown, number>()
  const problems: FieldError[] = []
  const take = (index: number, nodePort: number): void => {
    const problem = ports.take(nodePort)
    if (problem !== undefined) problems.push(invalidValue(`spec.ports[${index}].nodePort`, nodePort, problem))
  }
  const result = wanted.map((port, index) => {
    const own = Number(port['nodePort'] ?? 0)
    if ((own === 0 && !automatic) || problems.length > 0) return port
    const already = given.get(port['port'])
    if (already === undefined) {
      const asked = wanted.find((one) => one['port'] === port['port'] && one['nodePort'])?.['nodePort']
      const nodePort = Number(asked ?? 0) || ports.next()
      if (asked) take(index, nodePort)
      given.set(port['port'], nodePort)
      return { ...port, nodePort }
    }
    if (own === 0) return { ...port, nodePort: already }
    if (own !== already) take(index, own)
    return port
  })
  spec['ports'] = result
  return problems
}

/** The allocated node ports. A dry run does not check whether a requested port is free. */
class Ports {
  readonly #context: StrategyContext
  /** The Service keeps the ports that it had before. */
  readonly #own: ReadonlySet<number>
  readonly #used: Set<number>
  readonly #given = new Set<number>()

  constructor(context: StrategyContext, object: ServerObject, old: ServerObject | undefined) {
    this.#context = context
    this.#own = new Set(old ? portsOf(specOf(old)) : [])
    this.#used = new Set()
    for (const stored of context.store.snapshot({ collection: '/services' })) {
      const other = storedObject(stored)
      if (other.metadata.uid === object.metadata.uid) continue
      for (const port of portsOf(specOf(other))) this.#used.add(port)
    }
  }

  /** Allocates a port. Returns why it cannot be allocated; `undefined` on success. */
  take(port: number): string | undefined {
    if (this.#own.has(port)) return undefined
    if (!this.#context.dryRun && (port < FIRST || port > LAST)) {
      return `provided port is not in the valid range. The range of valid ports is ${FIRST}-${LAST}`
    }
    const taken = this.#used.has(port) && !this.#context.dryRun
    if (taken || this.#given.has(port)) return 'provided port is already allocated'
    this.#given.add(port)
    this.#used.add(port)
    return undefined
  }

  /** A free port, searched from a random offset. */
  next(): number {
    const count = LAST - FIRST + 1
    const start = Math.floor(this.#context.clock.random() * count)
    for (let step = 0; step < count; step++) {
      const port = FIRST + ((start + step) % count)
      if (this.#used.has(port) || this.#own.has(port)) continue
      this.#used.add(port)
      return port
    }
    throw new Failure(failure.internalError('failed to allocate a nodePort: range is full'))
  }
}

function portsOf(spec: Spec): number[] {
  const ports = listOf(spec['ports']).map((port) => (isObject(port) ? Number(port['nodePort'] ?? 0) : 0))
  return [...ports, Number(spec['healthCheckNodePort'] ?? 0)].filter((port) => port > 0)
}
