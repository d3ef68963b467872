import { ConfigMap, Secret } from '@homeostat/api/kinds'
import { controller, metadataOnly } from 'homeostat'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Findings } from './findings.ts'
import { OperatorTest } from './operator-test.ts'

/** Watches the metadata of Secrets, and reads one of them as a whole. */
const copier = (name: string) =>
  controller(name)
    .for(ConfigMap)
    .watches(metadataOnly(Secret), () => [])
    .reads(Secret)
    .reconcile(async ({ namespace }, { client }) => {
      if (name === 'whole') await client.get(Secret, { namespace, name: 'a' })
    })

test.for([
  ['metadata', []],
  ['whole', ['INFORMER_STARTED_BY_READ']],
] as const)('a passing test prints what a read of %s costs', async ([name, expected]) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const operator = await OperatorTest.start({ controllers: [copier(name)] })
  await operator.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } })
  await operator.settle()
  expect(operator.findings.map(({ code }) => code)).toEqual(expected)
  await operator.close()
  expect(printed.mock.calls.map(([text]) => String(text).split(': ')[1])).toEqual(expected)
})

test.for([
  ['a mistake', () => (undefined as unknown as Error).message, ['MISTAKE_IN_RECONCILE']],
  [
    'a write to what the cache shares',
    (found: { kind: string }) => void (found.kind = ''),
    ['MISTAKE_IN_RECONCILE'],
  ],
  ['an error of its own', () => Promise.reject(new Error('the printer is on fire')), []],
  ['a server that cannot be reached', () => fetch('http://127.0.0.1:1'), []],
] as const)('a passing test prints where a reconcile fails with %s', async ([, work, expected]) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const failing = controller('failing')
    .for(ConfigMap)
    .reconcile(async (key, { client }) => {
      const found = await client.get(ConfigMap, key)
      if (found) await work(found)
    })
  const operator = await OperatorTest.start({ controllers: [failing] })
  await operator.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } })
  await operator.settle()
  expect(operator.reports[0]?.result).toBe('error')
  expect(operator.findings.map(({ code }) => code)).toEqual(expected)
  await operator.close()
})

test('a mistake is printed with its place in the code of the operator', () => {
  const findings = new Findings()
  const error = new TypeError('that is not a function')
  error.stack = 'TypeError: that is not a function\n    at file:///home/ada/operator/controller.ts:100:12'
  findings.reconciled({ controller: 'cron', error })
  findings.reconciled({ controller: 'cron', error })
  expect(findings.all.map(({ message }) => message)).toEqual([
    'a reconcile of the controller cron failed by a mistake in its code, and is retried: TypeError: that is not a function (/home/ada/operator/controller.ts:100:12)',
  ])
})
