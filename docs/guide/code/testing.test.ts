import { OperatorTest } from '@homeostat/cluster/testing'
import { controller } from 'homeostat'
import { expect, test } from 'vitest'
import { Greeting } from './greeting.ts'

const HALF_A_DAY = 12 * 3_600_000

const morning = controller('morning')
  .for(Greeting)
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return {}
    const now = clock.now()
    const text = new Date(now).getUTCHours() < 12 ? 'Good morning!' : 'Good day!'
    await client.status.apply(Greeting, request, { text })
    return { requeueAfter: HALF_A_DAY - (now % HALF_A_DAY) }
  })

test('the greeting follows the hour', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [morning] })
  const key = { namespace: 'default', name: 'hello' }
  const text = async () => (await test.client.getOrThrow(Greeting, key)).status?.text

  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  expect(await text()).toBe('Good day!')
  expect(test.writes()).toEqual(['patch greetings/status default/hello'])

  await test.advance(HALF_A_DAY - 1)
  expect(await text()).toBe('Good day!')
  expect(test.writes()).toEqual([])

  await test.advance(1)
  expect(await text()).toBe('Good morning!')
})
