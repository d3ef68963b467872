import type { CoreV1 } from '@homeostat/api/kinds'
import { expect, it } from 'vitest'
import { withinCapacity } from './endpoints-capacity.ts'

const addresses = (count: number): CoreV1.EndpointAddress[] =>
  Array.from({ length: count }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }))
const sizes = (subsets: readonly CoreV1.EndpointSubset[]): (readonly [number, number])[] =>
  subsets.map((one) => [one.addresses?.length ?? 0, one.notReadyAddresses?.length ?? 0])

it('Endpoints within their capacity stay as they are', () => {
  const subsets = [{ addresses: addresses(600), notReadyAddresses: addresses(400), ports: [] }]
  expect(withinCapacity(subsets)).toEqual({ subsets, truncated: false })
})

it('Endpoints past it keep addresses that are ready, then others, by the share of each subset', () => {
  const cut = (...subsets: CoreV1.EndpointSubset[]): (readonly [number, number])[] => {
    const { subsets: kept, truncated } = withinCapacity(subsets)
    expect(truncated).toBe(true)
    return sizes(kept)
  }
  expect(cut({ addresses: addresses(600), notReadyAddresses: addresses(600) })).toEqual([[600, 400]])
  expect(cut({ addresses: addresses(1500), notReadyAddresses: addresses(10) })).toEqual([[1000, 0]])
  expect(cut({ addresses: addresses(1500) }, { addresses: addresses(500) })).toEqual([
    [750, 0],
    [250, 0],
  ])
})
