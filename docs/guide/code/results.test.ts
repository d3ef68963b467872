import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, TerminalError, type Result } from 'homeostat'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const hello = { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } }

/** Runs a reconcile for one object, and gives what followed on each call: its result and the time to the next. */
async function followed(
  reconcile: () => Result,
  then: (test: OperatorTest) => Promise<void> = async () => {},
) {
  const greeting = controller('greeting')
    .for(Greeting)
    .reconcile(async () => reconcile())
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [greeting] })
  await test.client.create(Greeting, hello)
  await test.settle()
  await then(test)
  return test.reports.map(({ result, next }) => [result, next])
}

test('nothing: done until something changes', async () => {
  const calls = await followed(
    () => {},
    (test) => test.advance('9h'),
  )
  expect(calls).toEqual([['success', undefined]])
})

test('an error: again after 1, 2, 4 … seconds', async () => {
  // #region throws
  const calls = await followed(
    () => {
      throw new Error('the printer is on fire')
    },
    (test) => test.advance('7s'),
  )
  expect(calls).toEqual([
    ['error', 1_000],
    ['error', 2_000],
    ['error', 4_000],
    ['error', 8_000],
  ])
  // #endregion
})

test('requeueAfter: again after exactly that time', async () => {
  // #region requeue-after
  const calls = await followed(
    () => ({ requeueAfter: '2h' }),
    (test) => test.advance('4h'),
  )
  expect(calls).toEqual([
    ['requeueAfter', 2 * 3_600_000],
    ['requeueAfter', 2 * 3_600_000],
    ['requeueAfter', 2 * 3_600_000],
  ])
  expect(await followed(() => ({ requeueAfter: '720h' }))).toEqual([['requeueAfter', 30 * 24 * 3_600_000]])
  // #endregion
})

test('requeue: at once, and then slower, so that it cannot spin', async () => {
  // #region requeue
  const calls = await followed(
    () => ({ requeue: true }),
    (test) => test.advance('35ms'),
  )
  expect(calls.slice(0, 4)).toEqual([
    ['requeue', 0],
    ['requeue', 5],
    ['requeue', 10],
    ['requeue', 20],
  ])
  // #endregion
})

test('a terminal error: not again until something changes', async () => {
  // #region terminal
  const calls = await followed(
    () => {
      throw new TerminalError('spec.name is a swear word')
    },
    (test) => test.advance('9h'),
  )
  expect(calls).toEqual([['terminal', undefined]])
  // #endregion
})

test('a write that lost a race: again after 5 ms, since the cache is about to catch up', async () => {
  // #region conflict
  let quicker: (() => Promise<unknown>) | undefined
  const twice = controller('twice')
    .for(Greeting)
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (!greeting || greeting.spec.times === 2) return
      await quicker?.()
      await client.update(Greeting, { ...greeting, spec: { ...greeting.spec, times: 2 } })
    })
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [twice] })
  quicker = () => {
    quicker = undefined
    const body = { metadata: { labels: { team: 'blue' } } }
    return test.client.patch(Greeting, hello.metadata, { type: 'merge', body })
  }
  await test.client.create(Greeting, hello)
  await test.advance('5ms')
  expect(test.reports[0]).toMatchObject({ result: 'conflict', next: 5 })
  expect(test.reports.at(-1)).toMatchObject({ result: 'success' })
  // #endregion
  const { metadata, spec } = await test.client.getOrThrow(Greeting, hello.metadata)
  expect([metadata.labels, spec.times]).toEqual([{ team: 'blue' }, 2])
})
