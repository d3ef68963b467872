const FNV_OFFSET = 0xcbf29ce484222325n
const FNV_PRIME = 0x100000001b3n
const MIX = 0xff51afd7ed558ccdn

/** A number of 64 bits for a flow: equal for equal names, and spread over the whole range. */
export function flowHash(schema: string, distinguisher: string): bigint {
  let hash = FNV_OFFSET
  for (const byte of new TextEncoder().encode(`${schema}\0${distinguisher}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME)
  }
  hash = BigInt.asUintN(64, (hash ^ (hash >> 33n)) * MIX)
  return hash ^ (hash >> 33n)
}

/**
 * Deals different cards from a deck, chosen by a hash: the queues of a flow among those of its level. Two flows rarely get the
 * same hand, so that a flow with many requests fills few of the queues of another one.
 */
export function dealHand(hash: bigint, deckSize: number, handSize: number): readonly number[] {
  const hand: number[] = []
  let rest = hash
  for (let dealt = 0; dealt < Math.min(handSize, deckSize); dealt++) {
    const left = BigInt(deckSize - dealt)
    // First the index among the cards that are left. The loop below adds the dealt cards before it.
    let card = Number(rest % left)
    rest /= left
    for (const taken of hand.toSorted((a, b) => a - b)) if (card >= taken) card++
    hand.push(card)
  }
  return hand
}
