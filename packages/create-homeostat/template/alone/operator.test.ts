import { OperatorTest } from '@homeostat/cluster/testing'
import { findCondition } from 'homeostat'
import { expect, it } from 'vitest'
import { MyKind } from './kind.ts'
import operator from './operator.ts'

const key = { namespace: 'default', name: 'hello' }

it('counts the words, and writes nothing when there is nothing to do', async () => {
  await using test = await OperatorTest.start(operator)
  await test.client.create(MyKind, { metadata: key, spec: { text: 'Hello  world' } })
  await test.settle()
  const { status } = await test.client.getOrThrow(MyKind, key)
  expect(status?.words).toBe(2)
  expect(findCondition(status?.conditions, 'Ready')).toMatchObject({ status: 'True', reason: 'Counted' })
  await test.expectNoWrites()
})

it('follows an edit', async () => {
  await using test = await OperatorTest.start(operator)
  await test.client.create(MyKind, { metadata: key, spec: { text: 'Hello' } })
  await test.settle()
  await test.client.patch(MyKind, key, { type: 'merge', body: { spec: { text: 'one two three' } } })
  await test.settle()
  const { status } = await test.client.getOrThrow(MyKind, key)
  expect(status?.words).toBe(3)
})
