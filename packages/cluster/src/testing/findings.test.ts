import { ConfigMap, Secret } from '@homeostat/api/kinds'
import { controller, metadataOnly } from 'homeostat'
import { expect, onTestFinished, test, vi } from 'vitest'
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
