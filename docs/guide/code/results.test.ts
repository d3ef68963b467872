import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, milliseconds, TerminalError, type Duration, type Result } from 'homeostat'
import { Deployment } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { markdownView } from '../first/controller.ts'
import { MarkdownView } from '../first/markdown-view.ts'
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

/** Lets time pass. */
const later = (time: Duration) => (test: OperatorTest) => test.advance(time)

/** Changes the object. */
async function changed(test: OperatorTest): Promise<void> {
  await test.client.patch(Greeting, hello.metadata, { type: 'merge', body: { spec: { name: 'you' } } })
  await test.settle()
}

test('nothing: done until something changes', async () => {
  // #region nothing
  expect(await followed(() => {}, later('9h'))).toEqual([['success', undefined]])
  expect(await followed(() => ({}), changed)).toEqual([
    ['success', undefined],
    ['success', undefined],
  ])
  // #endregion
})

test('what waits looks, tells, and returns', async () => {
  await using test = await OperatorTest.start({ kinds: [MarkdownView], controllers: [markdownView] })
  const key = hello.metadata
  await test.client.create(MarkdownView, { metadata: key, spec: { markdowns: { 'SUMMARY.md': '' } } })
  await test.settle()
  // #region waiting
  expect((await test.client.getOrThrow(MarkdownView, key)).status).toEqual({ ready: 0 })
  const status = { replicas: 1, readyReplicas: 1 }
  await test.client.status.patch(Deployment, key, { type: 'merge', body: { status } })
  await test.settle()
  expect((await test.client.getOrThrow(MarkdownView, key)).status).toEqual({ ready: 1 })
  // #endregion
})

test('an error: again after 1, 2, 4 … seconds, at most 5 minutes; others go on, and a success resets it', async () => {
  // #region throws
  let onFire = true
  const printer = controller('printer')
    .for(Greeting)
    .reconcile(async ({ name }) => {
      if (name === 'poster' && onFire) throw new Error('the printer is on fire')
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [printer] })
  const key = (name: string) => ({ namespace: 'default', name })
  const of = (name: string) =>
    test.reports.filter(({ request }) => request.name === name).map(({ result, next }) => [result, next])
  // #region back-off
  for (const name of ['poster', 'card']) {
    await test.client.create(Greeting, { metadata: key(name), spec: { name: 'world' } })
  }
  await test.advance('7s')
  expect(of('card')).toEqual([['success', undefined]])
  expect(of('poster')).toEqual([
    ['error', 1_000],
    ['error', 2_000],
    ['error', 4_000],
    ['error', 8_000],
  ])

  await test.advance('1h')
  expect(of('poster').at(-1)).toEqual(['error', 5 * 60_000])

  onFire = false
  await test.advance('5m')
  expect(of('poster').at(-1)).toEqual(['success', undefined])
  onFire = true
  await test.client.patch(Greeting, key('poster'), { type: 'merge', body: { spec: { times: 2 } } })
  await test.settle()
  expect(of('poster').at(-1)).toEqual(['error', 1_000])
  // #endregion
})

test('requeueAfter: again after exactly that time', async () => {
  // #region requeue-after
  const calls = await followed(() => ({ requeueAfter: '2h' }), later('4h'))
  expect(calls).toEqual([
    ['requeueAfter', 2 * 3_600_000],
    ['requeueAfter', 2 * 3_600_000],
    ['requeueAfter', 2 * 3_600_000],
  ])
  expect(await followed(() => ({ requeueAfter: '720h' }))).toEqual([['requeueAfter', 30 * 24 * 3_600_000]])
  // #endregion
})

test('a duration has one unit', () => {
  // #region duration
  expect(milliseconds('210m')).toBe(3.5 * 3_600_000)
  // @ts-expect-error two units
  expect(() => milliseconds('3h30m')).toThrow('"3h30m" is not a duration')
  // #endregion
})

test('requeue: at once, and then slower, so that it cannot spin', async () => {
  // #region requeue
  const calls = await followed(() => ({ requeue: true }), later('35ms'))
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
  const refuse = () => {
    throw new TerminalError('spec.name is a swear word')
  }
  expect(await followed(refuse, later('9h'))).toEqual([['terminal', undefined]])
  expect(await followed(refuse, changed)).toEqual([
    ['terminal', undefined],
    ['terminal', undefined],
  ])
  // #endregion
})

test('a write that lost a race: again after 5 ms, since the cache is about to catch up', async () => {
  // #region conflict
  let quicker: (() => Promise<unknown>) | undefined
  const twice = controller('twice')
    .for(Greeting)
    .writes(Greeting, 'update')
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
