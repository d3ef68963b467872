import { OperatorTest } from '@homeostat/cluster/testing'
import { expect, test } from 'vitest'
// #region split
import {
  controller,
  controllerOf,
  controllerReference,
  type ApplyOf,
  type CacheFields,
  type Client,
  type IndexOf,
  type KeyOf,
  type ReconcileContext,
} from 'homeostat'
import { Job } from 'homeostat/kinds'
import { Greeting } from './greeting.ts'

/** The fields that lists may select by: those of a cache, and the index of this controller. */
type Fields = CacheFields | IndexOf<typeof Job, 'owner'>

const printer = controller('printer')
  .for(Greeting)
  .owns(Job)
  .indexes(Job, { owner: (job) => controllerOf(job)?.uid })
  .writes(Job, 'apply')
  .writes(Greeting, 'status.apply')
  .reconcile(reconcile)

async function reconcile(request: KeyOf<typeof Greeting>, context: ReconcileContext<Fields>) {
  const { client } = context
  const greeting = await client.get(Greeting, request)
  if (!greeting) return
  await client.apply(Job, printJob(greeting))
  await client.status.apply(Greeting, request, { text: summary(await jobsOf(greeting, client)) })
}

/** The Jobs of a Greeting, from the cache. */
function jobsOf(greeting: Greeting, client: Client<Fields>): Promise<readonly Job[]> {
  const { namespace, uid } = greeting.metadata
  return client.list(Job, { namespace, fields: { owner: uid } })
}
// #endregion

// #region pure
/** The Job that prints a Greeting. */
function printJob(greeting: Greeting): ApplyOf<typeof Job> {
  const { namespace, name } = greeting.metadata
  const container = { name: 'print', image: 'busybox', args: ['echo', greeting.spec.name] }
  return {
    metadata: { namespace, name: `print-${name}`, ownerReferences: [controllerReference(greeting)] },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } },
  }
}

/** The text of the status. */
function summary(jobs: readonly Job[]): string {
  const done = jobs.filter(({ status }) => status?.succeeded).length
  return `${done} of ${jobs.length} printed`
}
// #endregion

const key = { namespace: 'default', name: 'hello' }

test('the parts of a reconcile keep the index in their types', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [printer] })
  const text = async () => (await test.client.getOrThrow(Greeting, key)).status?.text
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(await text()).toBe('0 of 1 printed')
  const job = { ...key, name: 'print-hello' }
  await test.client.status.patch(Job, job, { type: 'merge', body: { status: { succeeded: 1 } } })
  await test.settle()
  expect(await text()).toBe('1 of 1 printed')
})
