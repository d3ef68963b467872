import { expect, test } from 'vitest'
import { SimulatedClock } from './simulated-clock.ts'
import { TimerHeap, type WaitingTimer } from './timer-heap.ts'

test('timers fire by their time and then by their creation, whatever is added, cancelled and fired in between', () => {
  const chance = new SimulatedClock({ seed: 7 })
  const pick = (below: number): number => Math.floor(chance.random() * below)
  for (let round = 0; round < 50; round++) {
    const heap = new TimerHeap()
    let waiting: { readonly timer: WaitingTimer; readonly id: number }[] = []
    const fired: number[] = []
    const expected: number[] = []
    for (let step = 0; step < 400; step++) {
      const action = pick(5)
      if (action < 3) waiting.push({ timer: heap.add(pick(20), () => fired.push(step)), id: step })
      else if (action === 3 && waiting.length > 0) {
        const [cancelled] = waiting.splice(pick(waiting.length), 1)
        heap.cancel(cancelled!.timer)
        heap.cancel(cancelled!.timer)
      } else {
        const next = first(waiting)
        expect(heap.next()?.due).toBe(next?.timer.due)
        heap.fire()
        if (next) expected.push(next.id)
        waiting = waiting.filter((one) => one !== next)
      }
    }
    expect(fired).toEqual(expected)
  }
})

test('cancelled timers do not accumulate', () => {
  const heap = new TimerHeap()
  const kept = heap.add(1_000_000, () => {})
  for (let count = 0; count < 10_000; count++) heap.cancel(heap.add(count, () => {}))
  expect(heap.size).toBeLessThan(200)
  expect(heap.next()).toBe(kept)
})

/** The timer that is due first; of several, the one that was created first. */
function first<T extends { readonly timer: WaitingTimer }>(waiting: readonly T[]): T | undefined {
  return waiting.toSorted((a, b) => a.timer.due - b.timer.due || a.timer.sequence - b.timer.sequence)[0]
}
