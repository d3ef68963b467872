import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorTest } from '@homeostat/cluster/testing'
import { ConfigMap } from 'homeostat/kinds'
import { copier } from './operator.ts'

const create = (operator: OperatorTest, name: string) =>
  operator.client.create(ConfigMap, { metadata: { namespace: 'default', name } })

void test('passes', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await create(operator, 'of-the-test-that-passes')
  await operator.settle()
})

void test('fails by an assertion', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await create(operator, 'good')
  await create(operator, 'broken')
  await operator.settle()
  assert.equal('what is', 'what should be')
})
