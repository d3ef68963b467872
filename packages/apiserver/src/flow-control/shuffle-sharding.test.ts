import { describe, expect, it } from 'vitest'
import { dealHand, flowHash } from './shuffle-sharding.ts'

describe('a hand of queues', () => {
  it('has different queues of the level', () => {
    for (let user = 0; user < 200; user++) {
      const hand = dealHand(flowHash('global-default', `user-${user}`), 16, 6)
      expect(new Set(hand).size).toBe(6)
      expect(hand.every((queue) => queue >= 0 && queue < 16)).toBe(true)
    }
  })

  it('is the same for the same flow', () => {
    const hands = [1, 2].map(() => dealHand(flowHash('a', 'jane'), 128, 6))
    expect(hands[0]).toEqual(hands[1])
    expect(dealHand(flowHash('b', 'jane'), 128, 6)).not.toEqual(hands[0])
  })

  it('spreads flows over all queues evenly', () => {
    const counts = Array.from({ length: 64 }, () => 0)
    for (let user = 0; user < 6_400; user++) {
      for (const queue of dealHand(flowHash('a', `user-${user}`), 64, 1))
        counts[queue] = (counts[queue] ?? 0) + 1
    }
    expect(Math.min(...counts)).toBeGreaterThan(50)
    expect(Math.max(...counts)).toBeLessThan(170)
  })

  it('has as many queues as there are where it is larger', () => {
    expect(new Set(dealHand(flowHash('a', 'b'), 3, 8))).toEqual(new Set([0, 1, 2]))
  })
})
