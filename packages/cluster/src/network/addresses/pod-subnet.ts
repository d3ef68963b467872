/** A node's part of the Pod network 10.244.0.0/16. */
export interface PodSubnet {
  /** As the Node object shows it. */
  readonly cidr: string
  /** The last two numbers of its first and last address for Pods, as one number of 16 bits. */
  readonly first: number
  readonly last: number
}

/** How many addresses a node has: more than it runs Pods. */
const SIZE = 1_024

/** How many nodes there are addresses for: the second half of the loopback block belongs to Services. */
export const MOST_NODES = 0x8000 / SIZE

/** The part of the node with this number, from 0. Its first address is the node's own. */
export function podSubnet(index: number): PodSubnet {
  const base = index * SIZE
  return { cidr: `10.244.${base >> 8}.0/22`, first: base + 2, last: base + SIZE - 2 }
}

/** The number of the node that has the part. */
export function subnetIndex(cidr: string | undefined): number | undefined {
  for (let index = 0; index < MOST_NODES; index++) if (podSubnet(index).cidr === cidr) return index
  return undefined
}
