import { controller } from 'homeostat'
import { ConfigMap, Secret } from '@homeostat/api/kinds'
import { expect, test } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const key = { namespace: 'default', name: 'a' }

/** Copies the data of ConfigMaps into Secrets. */
const copier = controller('copier')
  .for(ConfigMap)
  .owns(Secret)
  .reconcile(async (request, { client }) => {
    const source = await client.get(ConfigMap, request)
    if (source) await client.apply(Secret, { metadata: request, data: { copied: 'eWVz' } })
  })

/** The same, but it writes whether there is something to write or not. */
const restless = controller('restless')
  .for(ConfigMap)
  .reconcile(async (request, { client }) => {
    const source = await client.get(ConfigMap, request)
    const patch = { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } } as const
    if (source) await client.patch(ConfigMap, request, patch)
  })

test('an operator that has nothing to do writes nothing, and the helper says so', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  expect(operator.writes()).toContain('patch secrets default/a')
  await operator.expectNoWrites()
  await operator.expectNoWrites(() => operator.advance('24h'))
})

test('one that writes all the same is named with what it wrote; the test’s own writes do not count', async () => {
  await using operator = await OperatorTest.start({ controllers: [restless] })
  await operator.client.create(ConfigMap, { metadata: key })
  await expect(operator.expectNoWrites()).rejects.toThrow(
    /expected that the operator writes nothing, but it sent:\n(?:.*\n)* {2}patch configmaps default\/a/,
  )
  await expect(
    operator.expectNoWrites(() =>
      operator.client.patch(ConfigMap, key, { type: 'merge', body: { data: { a: '1' } } }),
    ),
  ).rejects.toThrow('patch configmaps default/a')
})

test('a crash loses what is under way, and a new process carries on', async () => {
  let crashing: Promise<void> | undefined
  await using operator = await OperatorTest.start({
    controllers: [copier],
    transport: (inner, test) => ({
      ...inner,
      send(request) {
        if (request.path.endsWith('/secrets/a')) crashing ??= test.crash()
        return inner.send(request)
      },
    }),
  })
  await operator.client.create(ConfigMap, { metadata: key })
  await operator.settle()
  await crashing
  expect(crashing).toBeDefined()
  expect(operator.writes().filter((write) => write === 'patch secrets default/a')).toHaveLength(1)
  expect(await operator.client.get(Secret, key)).toBeDefined()
})
