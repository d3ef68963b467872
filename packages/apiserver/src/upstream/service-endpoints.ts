import type { Clock } from '@homeostat/api'
import { specOf, textOf, type Registry, type ServerObject } from '../registry/index.ts'
import { listOf, objectOf } from '../schema/index.ts'

/** A Pod's address and port. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** The name of a Service's port, by its number; empty for a port without a name, undefined where there is no such port. */
export function portNameOf(service: ServerObject, number: number): string | undefined {
  const ports = listOf(specOf(service)['ports']).map(objectOf)
  const port = ports.find((one) => one['port'] === number)
  return port && textOf(port['name'])
}

/**
 * The ready endpoints of a Service that serve a port of this name, in each subset of its Endpoints. Undefined where there
 * are no Endpoints.
 */
export function readyEndpoints(
  registry: Registry,
  namespace: string,
  name: string,
  portName: string,
): readonly (readonly Endpoint[])[] | undefined {
  const stored = registry.store.get('/endpoints', `${namespace}/${name}`)
  if (!stored) return undefined
  return listOf(stored.value['subsets'])
    .map(objectOf)
    .map(({ addresses, ports }) =>
      listOf(ports)
        .map(objectOf)
        .filter((one) => textOf(one['name']) === portName)
        .flatMap((one) =>
          listOf(addresses).map((address) => ({
            address: textOf(objectOf(address)['ip']),
            port: Number(one['port']),
          })),
        ),
    )
}

/** A random endpoint, so that requests spread over all. */
export function chooseEndpoint(
  subsets: readonly (readonly Endpoint[])[],
  clock: Clock,
): Endpoint | undefined {
  const endpoints = subsets.flat()
  return endpoints[Math.floor(clock.random() * endpoints.length)]
}
