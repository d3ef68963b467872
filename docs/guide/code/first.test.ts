import { killAtEachCall, OperatorTest } from '@homeostat/cluster/testing'
import { controllerOf } from 'homeostat'
import { ConfigMap, Deployment, Service } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { MarkdownView } from '../first/markdown-view.ts'
import operator from '../first/operator.ts'

const key = { namespace: 'default', name: 'hello' }
const markdowns = { 'SUMMARY.md': '- [Hello](hello.md)', 'hello.md': '# Hello' }

test('the first operator keeps the promises of its page', async () => {
  await using test = await OperatorTest.start(operator)
  // #region promises
  const empty = test.client.create(MarkdownView, { metadata: key, spec: { markdowns: {} } })
  await expect(empty).rejects.toThrow('spec.markdowns') // the validation
  const view = await test.client.create(MarkdownView, { metadata: key, spec: { markdowns } })
  expect(view.spec.replicas).toBe(1) // the default
  await test.settle()

  const body = { metadata: { labels: { team: 'blue' } } }
  await test.client.patch(Deployment, key, { type: 'merge', body }) // another client's label
  await test.expectNoWrites() // reconciled again by a new process, and nothing is sent
  const { metadata } = await test.client.getOrThrow(Deployment, key)
  expect(metadata.labels).toMatchObject({ team: 'blue' }) // it survived
  // #endregion
})

test('killed at any of its calls, the first operator ends in the same state', async () => {
  const { state, kills } = await killAtEachCall(operator, async (test) => {
    await test.client.create(MarkdownView, { metadata: key, spec: { markdowns } })
    await test.settle()
    const children = await Promise.all(
      [ConfigMap, Deployment, Service].map((kind) => test.client.getOrThrow(kind, key)),
    )
    return children.map((child) => controllerOf(child)?.name)
  })
  expect(state).toEqual(['hello', 'hello', 'hello'])
  expect(kills).toBeGreaterThan(10)
})
