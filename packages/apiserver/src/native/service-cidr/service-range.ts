import { HomeostatError } from '@homeostat/api'
import { specOf, storedObject } from '../../registry/index.ts'
import { bytesOf, listOf, textOf } from '../../schema/index.ts'
import type { Store } from '../../storage/index.ts'

/** The default network of Services' addresses. */
export const DEFAULT_SERVICE_RANGE = '10.96.0.0/16'

/** An IPv4 network. */
export interface ServiceRange {
  readonly cidr: string
  /** Its first address, as a number. */
  readonly base: number
  /** How many addresses it has. */
  readonly size: number
}

/** Reads a network such as `10.96.0.0/16`. Fails with `SERVICE_RANGE_INVALID`. */
export function parseServiceRange(cidr: string): ServiceRange {
  const match = /^([\d.]+)\/(\d{1,2})$/.exec(cidr)
  const [address, length] = [bytesOf(match?.[1] ?? ''), Number(match?.[2])]
  if (address === undefined || !(length >= 8 && length <= 30)) {
    throw new HomeostatError(
      'SERVICE_RANGE_INVALID',
      `${JSON.stringify(cidr)} is not a network for Services: give an IPv4 network with a prefix of 8 to 30 bits, such as ${DEFAULT_SERVICE_RANGE}`,
    )
  }
  const size = 2 ** (32 - length)
  return { cidr, base: address - (address % size), size }
}

/** The address at an offset in the network. */
export function addressIn({ base }: ServiceRange, offset: number): string {
  const number = base + offset
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

/** The network of a store's Services, from its default ServiceCIDR. */
export function serviceRangeIn(store: Store): ServiceRange {
  const stored = store.get('networking.k8s.io/servicecidrs', 'kubernetes')
  const [cidr] = stored ? listOf(specOf(storedObject(stored))['cidrs']) : []
  return parseServiceRange(textOf(cidr ?? '') || DEFAULT_SERVICE_RANGE)
}
