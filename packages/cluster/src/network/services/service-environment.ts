import type { Service } from '@homeostat/api/kinds'
import type { SocketAddress } from '../addresses/index.ts'

/** The address by which a process reaches a port of a Service. */
export type ToldAddress = (service: Service, port: number) => SocketAddress

/**
 * The variables by which a container finds Services: `WEB_SERVICE_HOST`, `WEB_SERVICE_PORT`, one for each port that has
 * a name, and the older form `WEB_PORT_80_TCP`. Services without an address have none.
 */
export function serviceEnvironment(services: readonly Service[], told: ToldAddress): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const service of services) {
    const ports = service.spec.ports ?? []
    const first = ports[0]
    if (!first || !hasClusterIP(service)) continue
    const prefix = variableName(service.metadata.name)
    variables[`${prefix}_SERVICE_HOST`] = told(service, first.port).host
    variables[`${prefix}_SERVICE_PORT`] = String(told(service, first.port).port)
    for (const [index, { name, port, protocol = 'TCP' }] of ports.entries()) {
      const address = told(service, port)
      const url = `${protocol.toLowerCase()}://${address.host}:${address.port}`
      if (name) variables[`${prefix}_SERVICE_PORT_${variableName(name)}`] = String(address.port)
      if (index === 0) variables[`${prefix}_PORT`] = url
      const link = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`
      variables[`${prefix}_PORT_${port}_${protocol.toUpperCase()}`] = url
      variables[`${link}_PROTO`] = protocol.toLowerCase()
      variables[`${link}_PORT`] = String(address.port)
      variables[`${link}_ADDR`] = address.host
    }
  }
  return variables
}

/** Whether a Service has a cluster IP. */
export function hasClusterIP({ spec }: Service): boolean {
  return spec.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None'
}

function variableName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase()
}
