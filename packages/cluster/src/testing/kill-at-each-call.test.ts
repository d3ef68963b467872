import { ConfigMap, Secret } from '@homeostat/api/kinds'
import { controller } from 'homeostat'
import { expect, test } from 'vitest'
import { killAtEachCall } from './kill-at-each-call.ts'
import type { OperatorTest } from './operator-test.ts'

const key = { namespace: 'default', name: 'a' }

/** Reads existing objects before it creates one. */
const careful = controller('careful')
  .for(ConfigMap)
  .reads(Secret)
  .writes(Secret, 'create')
  .reconcile(async (request, { client }) => {
    if (request.name !== 'a' || !(await client.get(ConfigMap, request))) return
    if (!(await client.get(Secret, request))) await client.create(Secret, { metadata: request })
  })

/** Records in the object that it has created another one, after it has created it. */
const careless = controller('careless')
  .for(ConfigMap)
  .writes(Secret, 'create')
  .writes(ConfigMap, 'patch')
  .reconcile(async (request, { client }) => {
    const source = await client.get(ConfigMap, request)
    if (request.name !== 'a' || !source || source.data?.['done']) return
    await client.create(Secret, { metadata: { namespace: 'default', generateName: 'a-' } })
    await client.patch(ConfigMap, request, { type: 'merge', body: { data: { done: 'yes' } } })
  })

async function countSecrets(test: OperatorTest): Promise<number> {
  await test.client.create(ConfigMap, { metadata: key })
  await test.settle()
  return (await test.client.list(Secret, { namespace: 'default' })).length
}

test('an operator that looks before it writes survives a kill at each of its calls', async () => {
  const { state, calls, kills } = await killAtEachCall({ controllers: [careful] }, countSecrets)
  expect(state).toBe(1)
  // A list and a watch of each kind, and one write.
  expect(calls).toBe(5)
  expect(kills).toBe(2 * calls)
})

test('fails for an operator that forgets what it did before it was killed, and names the call', async () => {
  await expect(killAtEachCall({ controllers: [careless] }, countSecrets)).rejects.toThrow(
    /killed at call \d+ of \d+ \(POST \/api\/v1\/namespaces\/default\/secrets\), before its answer came, the operator ends in another state:\n {2}it is 2 instead of 1/,
  )
})
