import { OperatorTest } from '@homeostat/cluster/testing'
import { expect, it } from 'vitest'
import { MyKind } from './kind.ts'
import operator from './operator.ts'

const key = { namespace: 'default', name: 'hello' }

it('refuses a text without words, when an object is created and when it is changed', async () => {
  await using test = await OperatorTest.start(operator)
  const creating = test.client.create(MyKind, { metadata: key, spec: { text: '  ' } })
  await expect(creating).rejects.toThrow('spec.text')
  await test.client.create(MyKind, { metadata: key, spec: { text: 'Hello' } })
  const patching = test.client.patch(MyKind, key, { type: 'merge', body: { spec: { text: ' ' } } })
  await expect(patching).rejects.toThrow('must have a word')
})
