import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, FinalizerRegistry, TerminalError } from 'homeostat'
import { expect, test } from 'vitest'
import { App, key } from './app.ts'

const create = async (test: OperatorTest) => {
  await test.client.create(App, { metadata: key, spec: {} })
  await test.settle()
}

test('an API with a rate limit is asked again when it allows it', async () => {
  const calls: number[] = []
  const answers = [{ status: 429, retryAfter: 30 }, { status: 200 }]
  const deploy = async (): Promise<{ status: number; retryAfter?: number }> => {
    calls.push(calls.length)
    return answers.shift() ?? { status: 200 }
  }
  // #region limit
  const limited = controller('limited')
    .for(App)
    .options({ maxReconcilesPerSecond: 5, maxConcurrentReconciles: 1 }) // of all objects together
    .writes(App, 'status.apply')
    .reconcile(async (request, { client }) => {
      if (!(await client.get(App, request))) return {}
      const { status, retryAfter = 1 } = await deploy()
      if (status === 429) return { requeueAfter: `${retryAfter}s` } // no failure: no back-off, no error in the log
      await client.status.apply(App, request, { phase: 'Deployed' })
      return {}
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [limited] })
  await create(test)
  await test.advance('29s')
  expect(calls.length).toBe(1)
  await test.advance('1s')
  expect((await test.client.getOrThrow(App, key)).status?.phase).toBe('Deployed')
})

test('a system without events is asked every five minutes', async () => {
  let health = 'Healthy'
  const healthOf = async (): Promise<string> => health
  // #region poll
  const polling = controller('polling')
    .for(App)
    .writes(App, 'status.apply')
    .reconcile(async (request, { client }) => {
      if (!(await client.get(App, request))) return {}
      await client.status.apply(App, request, { phase: await healthOf() })
      return { requeueAfter: '5m' }
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [polling] })
  await create(test)
  health = 'Broken'
  await test.advance('5m')
  expect((await test.client.getOrThrow(App, key)).status?.phase).toBe('Broken')
})

test('what is outside goes before the object does', async () => {
  const buckets = new Set<string>()
  // #region cleanup
  const finalizers = new FinalizerRegistry(App).register('recipes.example.com/bucket', ({ metadata }) => {
    buckets.delete(metadata.name) // Must also succeed if the bucket no longer exists.
  })
  const bucket = controller('bucket')
    .for(App)
    .uses(finalizers)
    .reconcile(async (request, context) => {
      const app = await context.client.get(App, request)
      if (!app) return
      const { deleting } = await finalizers.finalize(context.client, app, context)
      if (!deleting) buckets.add(app.metadata.name)
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [bucket] })
  await create(test)
  expect([...buckets]).toEqual(['shop'])
  await test.client.delete(App, key)
  await test.settle()
  expect([[...buckets], await test.client.get(App, key)]).toEqual([[], undefined])
})

test('an expensive call is made once for each generation', async () => {
  const built: number[] = []
  const build = async (generation: number): Promise<void> => void built.push(generation)
  // #region once
  const building = controller('building')
    .for(App)
    .writes(App, 'status.apply')
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (!app) return
      const generation = app.metadata.generation ?? 0
      if (app.status?.observed === String(generation)) return
      await build(generation) // May be called twice if the process dies here: make it idempotent.
      await client.status.apply(App, request, { observed: String(generation) })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [building] })
  await create(test)
  await test.client.patch(App, key, { type: 'merge', body: { metadata: { labels: { team: 'blue' } } } })
  await test.settle()
  await test.client.patch(App, key, { type: 'merge', body: { spec: { image: 'app:2' } } })
  await test.settle()
  expect(built).toEqual([1, 2])
})

test('a mistake of the user is not tried again', async () => {
  // #region terminal
  const strict = controller('strict')
    .for(App)
    .reconcile(async (request, { client }) => {
      const app = await client.get(App, request)
      if (app?.spec.image === '') throw new TerminalError('spec.image is empty: name an image')
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [App], controllers: [strict] })
  await test.client.create(App, { metadata: key, spec: { image: '' } })
  await test.advance('1h')
  expect(test.reports.map(({ result }) => result)).toEqual(['terminal'])
})
