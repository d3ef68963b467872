import { parseQuantity, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { PodProblem } from './pod-problem.ts'

/** The facts about its Pod and node that a container gets before the API shows them. */
export interface PodFacts {
  readonly podIP: string
  readonly hostIP: string
  /** The resources of the node for Pods. They count as the limits of a container that has no limits. */
  readonly allocatable: Readonly<Record<string, string>>
}

/** The value of a field of the Pod, for a variable or a file of the downward API. */
export function fieldValue(pod: Pod, path: string, facts: PodFacts): string {
  const entry = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path)
  if (entry) {
    const values = pod.metadata[entry[1] as 'labels' | 'annotations'] ?? {}
    const key = entry[2] ?? ''
    return Object.hasOwn(values, key) ? (values[key] ?? '') : ''
  }
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name
    case 'metadata.namespace':
      return pod.metadata.namespace
    case 'metadata.uid':
      return pod.metadata.uid
    case 'metadata.labels':
      return lines(pod.metadata.labels)
    case 'metadata.annotations':
      return lines(pod.metadata.annotations)
    case 'spec.nodeName':
      return pod.spec.nodeName ?? ''
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? ''
    case 'status.podIP':
    case 'status.podIPs':
      return facts.podIP
    case 'status.hostIP':
    case 'status.hostIPs':
      return facts.hostIP
    default:
      throw new PodProblem(`unsupported fieldPath: ${path}`)
  }
}

/**
 * A request or limit of a container (`limits.cpu`), in units of the divisor and rounded up. A missing limit counts as what
 * the node has, and a missing request as 0.
 */
export function resourceValue(
  pod: Pod,
  reference: DeepReadonly<CoreV1.ResourceFieldSelector>,
  own: string | undefined,
  facts: Pick<PodFacts, 'allocatable'>,
): string {
  const name = reference.containerName || own
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
  const container = containers.find((candidate) => candidate.name === name)
  if (!container) throw new PodProblem(`container ${name ?? ''} not found`)
  const match = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/.exec(reference.resource)
  if (!match) throw new PodProblem(`unsupported container resource : ${reference.resource}`)
  const [, kind, resource = ''] = match
  const limit = container.resources?.limits?.[resource] ?? facts.allocatable[resource]
  const value = kind === 'limits' ? limit : container.resources?.requests?.[resource]
  return String(divideUp(nanos(value), nanos(reference.divisor) || nanos('1')))
}

/** A quantity as a whole number, rounded up; `undefined` if it is missing. */
export function wholeNumber(quantity: unknown): number | undefined {
  return quantity === undefined ? undefined : Number(divideUp(nanos(quantity), nanos('1')))
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/** A quantity in billionths: none is finer. */
function nanos(quantity: unknown): bigint {
  const { mantissa = 0n, exponent = 0 } = parseQuantity(quantity) ?? {}
  return mantissa * 10n ** BigInt(exponent + 9)
}

/** Sorted, one `key="value"` in a line. */
function lines(entries: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(entries ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n')
}
