import type { EndpointSlice, Service } from '@homeostat/api/kinds'

/** The label by which a slice names its Service. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'

/** A port of an address of the Pod network. */
export interface Target {
  readonly address: string
  readonly port: number
}

/** A port of a Service, and where connections to it may go. */
export interface ServicePortPlan {
  /** Empty for the only port of a Service, which needs no name. */
  readonly name: string
  readonly port: number
  readonly nodePort?: number | undefined
  readonly targets: readonly Target[]
}

/** An endpoint that a name of a headless Service resolves to. */
interface NamedEndpoint {
  readonly address: string
  readonly hostname?: string | undefined
}

/** How the network serves a Service. */
export interface ServicePlan {
  /** None where the Service is headless, or only another name. */
  readonly clusterIP?: string | undefined
  /** The name that it is an alias of. */
  readonly externalName?: string | undefined
  /** For how long a client stays with the endpoint that it had. */
  readonly affinitySeconds?: number | undefined
  readonly ports: readonly ServicePortPlan[]
  readonly endpoints: readonly NamedEndpoint[]
  /** Why a port is not served, a sentence for each. */
  readonly problems: readonly string[]
}

type ServicePort = NonNullable<Service['spec']['ports']>[number]
type Endpoint = NonNullable<EndpointSlice['endpoints']>[number]

const DEFAULT_AFFINITY_SECONDS = 10_800

/**
 * The plan for a Service and its slices. A connection goes to a ready endpoint; where none is ready, to one that
 * still serves while it terminates, so that the last Pod of a rollout is not cut off.
 */
export function planService(service: Service, slices: readonly EndpointSlice[]): ServicePlan {
  const { type, externalName, clusterIP, sessionAffinity, sessionAffinityConfig } = service.spec
  if (type === 'ExternalName') return { externalName, ports: [], endpoints: [], problems: [] }
  const ports = service.spec.ports ?? []
  const carried = ports.filter(isTcp)
  const usable = slices.filter(({ addressType }) => addressType === 'IPv4')
  return {
    clusterIP: clusterIP === 'None' || clusterIP === '' ? undefined : clusterIP,
    affinitySeconds:
      sessionAffinity === 'ClientIP'
        ? (sessionAffinityConfig?.clientIP?.timeoutSeconds ?? DEFAULT_AFFINITY_SECONDS)
        : undefined,
    ports: carried.map((port) => ({
      name: port.name ?? '',
      port: port.port,
      nodePort: port.nodePort || undefined,
      targets: targetsOf(port, usable),
    })),
    endpoints: usable
      .flatMap((slice) => slice.endpoints ?? [])
      .filter(isReady)
      .flatMap(({ addresses, hostname }) => addresses.map((address) => ({ address, hostname }))),
    problems: ports
      .filter((port) => !isTcp(port))
      .map(
        (port) =>
          `port ${port.port}/${port.protocol ?? ''} is not served: this cluster carries only TCP; use a TCP port instead`,
      ),
  }
}

function targetsOf(port: ServicePort, slices: readonly EndpointSlice[]): Target[] {
  const reached = (wanted: (endpoint: Endpoint) => boolean): Target[] =>
    slices.flatMap((slice) => {
      const entry = slice.ports?.find(
        ({ name, protocol }) => (name ?? '') === (port.name ?? '') && (protocol ?? 'TCP') === 'TCP',
      )
      const number = entry?.port
      if (number === undefined) return []
      return (slice.endpoints ?? [])
        .filter(wanted)
        .flatMap(({ addresses }) => addresses.map((address) => ({ address, port: number })))
    })
  const ready = reached(isReady)
  return ready.length > 0 ? ready : reached(servesWhileEnding)
}

function isTcp({ protocol }: ServicePort): boolean {
  return (protocol ?? 'TCP') === 'TCP'
}

/** A missing condition counts as ready. */
function isReady({ conditions }: Endpoint): boolean {
  return conditions?.ready !== false
}

function servesWhileEnding({ conditions }: Endpoint): boolean {
  return conditions?.serving === true && conditions.terminating === true
}
