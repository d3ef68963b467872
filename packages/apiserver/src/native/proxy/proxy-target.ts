import { failure, type ApiHandler } from '@homeostat/api'
import { targetOf, type Call } from '../../http/index.ts'
import {
  Failure,
  failureWithoutReason,
  get,
  served,
  type Registry,
  type ServerObject,
  specOf,
  statusOf,
  textOf,
} from '../../registry/index.ts'
import { listOf, objectOf, type JsonObject } from '../../schema/index.ts'
import { chooseEndpoint, portNameOf, type Endpoint } from '../../upstream/index.ts'
import type { KubeletHandlers } from '../pod-runner/kubelet-handlers.ts'

/** Where a proxied request goes. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https'
  readonly address: string
  readonly port: number
}

/** A name in the path of a proxied request, such as `https:web:8443`, `web:http` or `web`. */
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

/** The address that a request to `services/proxy` goes to: a random ready address of a Pod. */
export function serviceTarget(call: Call): ProxyTarget {
  const { scheme, name, port } = proxyName(call, 'service')
  const { registry, route } = call
  const namespace = route.namespace ?? ''
  const isNumber = /^\d+$/.test(port)
  const portName = isNumber
    ? nameOfPort(served(get(registry, { ...targetOf(call), name }), call.resource), port)
    : port
  const endpoints = registry.store.get('/endpoints', `${namespace}/${name}`)
  // A Kubernetes API server reports missing Endpoints as a missing Service.
  if (!endpoints) throw new Failure(failure.notFound(call.resource, name))
  const subsets = listOf(endpoints.value['subsets']).map(objectOf)
  const found = subsets.flatMap((subset) => podEndpoints(registry, namespace, subset, portName))
  const chosen = chooseEndpoint([found], registry.clock)
  if (!chosen) {
    const quoted = JSON.stringify(subsets.length === 0 ? name : route.name)
    throw new Failure(failure.serviceUnavailable(`no endpoints available for service ${quoted}`))
  }
  checkAddress(chosen.address)
  return { scheme, ...chosen }
}

/** The addresses of a subset that belong to Pods. Others could name any machine. */
function podEndpoints(
  registry: Registry,
  namespace: string,
  subset: JsonObject,
  portName: string,
): Endpoint[] {
  const port = listOf(subset['ports'])
    .map(objectOf)
    .find((one) => textOf(one['name']) === portName)
  if (!port) return []
  return listOf(subset['addresses'])
    .map(objectOf)
    .flatMap((one) => {
      const ref = objectOf(one['targetRef'])
      const address = textOf(one['ip'])
      const pod =
        textOf(ref['namespace']) === namespace &&
        registry.store.get('/pods', `${namespace}/${textOf(ref['name'])}`)
      const ips = pod
        ? listOf(objectOf(pod.value['status'])['podIPs']).map((ip) => textOf(objectOf(ip)['ip']))
        : []
      return ips.includes(address) ? [{ address, port: Number(port['port']) }] : []
    })
}

/** The types of a node's addresses, in the order of preference. */
const ADDRESS_TYPES = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']
const KUBELET_PORT = 10_250

/**
 * Where a request to `nodes/proxy` goes: to the kubelet of the node, unless it names another port. A kubelet of this process is
 * called by its handler.
 */
export function nodeTarget(
  call: Call,
  kubelets: KubeletHandlers | undefined,
): ProxyTarget | { readonly handler: ApiHandler } {
  const { scheme, name, port } = proxyName(call, 'node')
  const node = served(get(call.registry, { ...targetOf(call), name }), call.resource)
  const status = statusOf(node)
  const endpoint = objectOf(objectOf(status['daemonEndpoints'])['kubeletEndpoint'])
  const kubeletPort = Number(endpoint['Port'] ?? 0) || KUBELET_PORT
  const toKubelet = port === '' || port === String(kubeletPort)
  const handler = toKubelet ? kubelets?.(name) : undefined
  if (handler) return { handler }
  const address = preferredAddress(listOf(status['addresses']).map(objectOf))
  checkAddress(address)
  if (toKubelet) return { scheme: 'https', address, port: kubeletPort }
  return { scheme, address, port: portNumber(port, scheme) }
}

function preferredAddress(addresses: readonly JsonObject[]): string {
  for (const type of ADDRESS_TYPES) {
    const found = addresses.find((one) => one['type'] === type)
    if (found) return textOf(found['address'])
  }
  const known = addresses.map((one) => `{${textOf(one['type'])} ${textOf(one['address'])}}`).join(' ')
  throw failureWithoutReason(`no preferred addresses found; known addresses: [${known}]`)
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

/** Refuses addresses of the server's own machine. */
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
