import { type Registry, type ServerObject, specOf } from '../registry/index.ts'
import { listOf, objectOf, textOf } from '../schema/index.ts'
import type { ServiceAddress } from './call-over-network.ts'

/** An address behind a Service: one of its ready endpoints. Throws an Error in the words of kube-apiserver. */
export function resolveService(
  registry: Registry,
  namespace: string,
  name: string,
  port: number,
): ServiceAddress {
  const service = registry.store.get('/services', `${namespace}/${name}`)
  if (!service) throw new Error(`service ${JSON.stringify(name)} not found`)
  const ports = listOf(specOf(service.value as unknown as ServerObject)['ports']).map(objectOf)
  const declared = ports.find((one) => one['port'] === port)
  if (!declared) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`)
  const portName = textOf(declared['name'] ?? '')
  const stored = registry.store.get('/endpoints', `${namespace}/${name}`)
  const addresses = listOf((stored?.value as unknown as ServerObject | undefined)?.['subsets'])
    .map(objectOf)
    .flatMap(({ addresses: ready, ports: open }) =>
      listOf(open)
        .map(objectOf)
        .filter((one) => textOf(one['name'] ?? '') === portName)
        .flatMap((one) =>
          listOf(ready).map((address) => ({
            address: textOf(objectOf(address)['ip']),
            port: Number(one['port']),
          })),
        ),
    )
  const chosen = addresses[Math.floor(registry.clock.random() * addresses.length)]
  if (!chosen) throw new Error(`no endpoints available for service ${JSON.stringify(name)}`)
  return chosen
}
