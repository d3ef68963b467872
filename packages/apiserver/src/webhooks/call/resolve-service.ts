import { storedObject, type Registry } from '../../registry/index.ts'
import { chooseEndpoint, portNameOf, readyEndpoints, type Endpoint } from '../../upstream/index.ts'

/** An address behind a Service: one of its ready endpoints. Throws an Error in the words of kube-apiserver. */
export function resolveService(registry: Registry, namespace: string, name: string, port: number): Endpoint {
  const service = registry.store.get('/services', `${namespace}/${name}`)
  if (!service) throw new Error(`service ${JSON.stringify(name)} not found`)
  const portName = portNameOf(storedObject(service), port)
  if (portName === undefined) {
    throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`)
  }
  const subsets = readyEndpoints(registry, namespace, name, portName) ?? []
  const chosen = chooseEndpoint(subsets, registry.clock)
  if (!chosen) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`)
  return chosen
}
