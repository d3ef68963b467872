import type { CoreV1 } from '@homeostat/api/kinds'

/** Says, on Endpoints, that not all addresses are in them. */
export const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity'

const MOST_ADDRESSES = 1_000

type Subsets = readonly CoreV1.EndpointSubset[]

/**
 * Keeps at most a thousand addresses, first those that are ready. Each subset keeps a part in proportion to its size.
 * EndpointSlices have no such limit; a client that needs all addresses reads those.
 */
export function withinCapacity(subsets: Subsets): { readonly subsets: Subsets; readonly truncated: boolean } {
  const count = (list: 'addresses' | 'notReadyAddresses'): number =>
    subsets.reduce((sum, subset) => sum + (subset[list]?.length ?? 0), 0)
  const [ready, notReady] = [count('addresses'), count('notReadyAddresses')]
  if (ready + notReady <= MOST_ADDRESSES) return { subsets, truncated: false }
  const cut = ready > MOST_ADDRESSES ? 'addresses' : 'notReadyAddresses'
  const most = ready > MOST_ADDRESSES ? MOST_ADDRESSES : MOST_ADDRESSES - ready
  const total = ready > MOST_ADDRESSES ? ready : notReady
  let left = most
  const kept = subsets.flatMap((subset) => {
    const { addresses, notReadyAddresses: _, ...rest } = subset
    const list = subset[cut] ?? []
    const share = Math.min(left, Math.ceil((list.length / total) * most))
    left -= share
    const some = share > 0 ? { [cut]: list.slice(0, share) } : {}
    const others = cut === 'notReadyAddresses' && addresses ? { addresses } : {}
    const empty = share === 0 && !('addresses' in others)
    return empty ? [] : [{ ...others, ...some, ...rest }]
  })
  return { subsets: kept, truncated: true }
}
