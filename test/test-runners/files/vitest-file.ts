import { OperatorTest } from '@homeostat/cluster/testing'
import { ConfigMap } from 'homeostat/kinds'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copier } from './operator.ts'

const create = (operator: OperatorTest, name: string) =>
  operator.client.create(ConfigMap, { metadata: { namespace: 'default', name } })

test('passes', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await create(operator, 'of-the-test-that-passes')
  await operator.settle()
  expect(operator.reports.every(({ result }) => result === 'success')).toBe(true)
})

test('fails by an expectation', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier] })
  await create(operator, 'good')
  await create(operator, 'broken')
  await operator.settle()
  expect('what is').toBe('what should be')
})

test('fails with all logs', async () => {
  await using operator = await OperatorTest.start({ controllers: [copier], logs: true })
  await create(operator, 'all-logs')
  await operator.settle()
  expect('what is').toBe('what should be')
})

describe('with a hook', () => {
  let operator: OperatorTest
  beforeEach(async () => {
    operator = await OperatorTest.start({ controllers: [copier] })
  })
  afterEach(() => operator.close())

  test('fails as well', async () => {
    await create(operator, 'hooked')
    await operator.settle()
    expect('what is').toBe('what should be')
  })
})
