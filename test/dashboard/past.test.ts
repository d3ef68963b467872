import { expect, it } from 'vitest'
import { Store } from '../../packages/dashboard/page/model/store.ts'
import type { Entry } from '../../packages/dashboard/src/recording/entry.ts'

const one = { namespace: 'default', name: 'one' }
const run = (reconcileID: string) => ({ controller: 'notes', request: one, reconcileID })

const started = (sequence: number, id: string): Entry => ({
  type: 'started',
  sequence,
  at: sequence,
  ...run(id),
  causes: [],
  reasons: [],
  omittedCauses: 0,
  waited: 0,
})
const ended = (sequence: number, id: string): Entry => ({
  type: 'ended',
  sequence,
  at: sequence,
  ...run(id),
  result: 'success',
  duration: 1,
  writes: [],
  omittedWrites: 0,
  isLoop: false,
})
const queue = (sequence: number, controller: string, delayed: number): Entry => ({
  type: 'queue',
  sequence,
  at: sequence,
  controller,
  running: 0,
  ready: 0,
  delayed,
  requests: [],
})

/** What the page knows of these entries. */
function storeOf(...entries: readonly Entry[]): Store {
  const store = new Store(() => Promise.reject(new Error('nothing can be changed here')))
  const start = { at: 0, objects: [], queues: [], running: [] }
  store.open({ format: 'homeostat-recording/1', start, entries })
  return store
}

const delayed = (store: Store): number | undefined => store.state.queues.get('notes')?.delayed

it('shows the queue that is recorded after the last reconcile of the moment', () => {
  const store = storeOf(started(1, 'a'), ended(2, 'a'), queue(3, 'others', 7), queue(4, 'notes', 1))
  store.travel(2)
  expect(delayed(store)).toBe(1)
  store.travel(4)
  expect(delayed(store)).toBe(1)
})

it('shows it also where it comes after the moment was chosen', () => {
  const store = storeOf(started(1, 'a'), ended(2, 'a'))
  store.travel(2)
  expect(delayed(store)).toBeUndefined()
  store.add([queue(3, 'others', 7), queue(4, 'notes', 1)])
  expect(delayed(store)).toBe(1)
  store.add([started(5, 'b'), ended(6, 'b'), queue(7, 'notes', 2)])
  expect(delayed(store)).toBe(1)
})

it('shows no queue of a later reconcile', () => {
  const store = storeOf(ended(1, 'a'), queue(2, 'notes', 1), started(3, 'b'), ended(4, 'b'))
  store.add([queue(5, 'notes', 2)])
  store.travel(1)
  expect(delayed(store)).toBe(1)
  store.travel(3)
  expect(delayed(store)).toBe(1)
})

it('shows a reconcile without the result that it had later', () => {
  const store = storeOf(started(1, 'a'), ended(2, 'a'), started(3, 'b'))
  store.travel(1)
  expect(store.lastRuns(9).map(({ id, end, ended }) => [id, end, ended])).toEqual([
    ['a', undefined, undefined],
  ])
  expect(store.runsSince(0, 1)).toEqual(store.lastRuns(9))
  store.travel(2)
  expect(store.run('a')?.ended?.result).toBe('success')
  expect(store.shownRuns.map(({ id }) => id)).toEqual(['a'])
})
