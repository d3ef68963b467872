import { failure } from '@homeostat/api'
import { targetOf, type Call } from '../../http/index.ts'
import { Failure, get, served, type ServerObject, specOf, statusOf, textOf } from '../../registry/index.ts'
import { listOf, objectOf } from '../../schema/index.ts'
import { chooseEndpoint, portNameOf, readyEndpoints } from '../../services/index.ts'

/** Where a proxied request goes. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https'
  readonly address: string
  readonly port: number
}

/** What a name in a path of a proxy stands for: `https:web:8443`, `web:http`, `web`. */
interface ProxyName {
  readonly scheme: ProxyTarget['scheme']
  readonly name: string
  /** A number or a name; empty where the path gives none. */
  readonly port: string
}

const DEFAULT_PORT = { http: 80, https: 443 } as const

/** The address that a request to `pods/proxy` goes to. */
export function podTarget(call: Call): ProxyTarget {
  const { scheme, name, port } = proxyName(call, 'pod')
  const pod = served(get(call.registry, { ...targetOf(call), name }), call.resource)
  const address = textOf(statusOf(pod)['podIP'])
  checkAddress(address)
  return { scheme, address, port: portNumber(port || firstPort(pod), scheme) }
}

/** The address that a request to `services/proxy` goes to: any that is ready. */
export function serviceTarget(call: Call): ProxyTarget {
  const { scheme, name, port } = proxyName(call, 'service')
  const service = served(get(call.registry, { ...targetOf(call), name }), call.resource)
  const portName = /^\d+$/.test(port) ? nameOfPort(service, port) : port
  const subsets = readyEndpoints(call.registry, call.route.namespace ?? '', name, portName)
  // A Kubernetes API server reports missing Endpoints as a missing Service.
  if (!subsets) throw new Failure(failure.notFound(call.resource, name))
  const chosen = chooseEndpoint(subsets, call.registry.clock)
  if (!chosen) {
    const quoted = JSON.stringify(subsets.length === 0 ? name : call.route.name)
    throw new Failure(failure.serviceUnavailable(`no endpoints available for service ${quoted}`))
  }
  checkAddress(chosen.address)
  return { scheme, ...chosen }
}

/** The node that a request to `nodes/proxy` is about. Fails where the node has no address. */
export function checkNodeTarget(call: Call): void {
  const { name } = proxyName(call, 'node')
  const node = served(get(call.registry, { ...targetOf(call), name }), call.resource)
  if (listOf(statusOf(node)['addresses']).length > 0) return
  const message = 'no preferred addresses found; known addresses: []'
  throw new Failure({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 })
}

function proxyName({ route: { name: text = '' } }: Call, kind: string): ProxyName {
  const parts = text.split(':')
  const [first = '', second = '', third = ''] = parts
  if (parts.length === 1) return { scheme: 'http', name: first, port: '' }
  if (parts.length === 2) return { scheme: 'http', name: first, port: second }
  if (parts.length === 3 && (first === 'http' || first === 'https' || first === '')) {
    return { scheme: first === 'https' ? 'https' : 'http', name: second, port: third }
  }
  throw new Failure(failure.badRequest(`invalid ${kind} request ${JSON.stringify(text)}`))
}

/** Nothing of the server's own machine is reached by a proxy. */
function checkAddress(address: string): void {
  if (/^\d+(?:\.\d+){3}$|:/.test(address) && !/^(?:127\.|169\.254\.|0\.|::1$|fe80:)/i.test(address)) return
  throw new Failure(failure.badRequest('address not allowed'))
}

function firstPort(pod: ServerObject): string {
  const [first] = listOf(specOf(pod)['containers'])
    .flatMap((container) => listOf(objectOf(container)['ports']))
    .map((port) => Number(objectOf(port)['containerPort']))
  return first === undefined ? '' : String(first)
}

function portNumber(port: string, scheme: ProxyTarget['scheme']): number {
  if (port === '') return DEFAULT_PORT[scheme]
  if (/^\d{1,5}$/.test(port)) return Number(port)
  throw new Failure(
    failure.serviceUnavailable(`error trying to reach service: dial tcp: lookup tcp/${port}: unknown port`),
  )
}

function nameOfPort(service: ServerObject, number: string): string {
  const found = String(Number(number)) === number ? portNameOf(service, Number(number)) : undefined
  if (found !== undefined) return found
  const name = JSON.stringify(service.metadata.name)
  throw new Failure(failure.serviceUnavailable(`no service port ${number} found for service ${name}`))
}
