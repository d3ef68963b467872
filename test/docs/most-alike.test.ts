import { expect, it } from 'vitest'
import { mostAlike } from '../../scripts/docs/most-alike.ts'

const example = `export const greeting = controller('greeting')
  .for(Greeting)
  .reconcile(async (request, { client }) => {
    await client.apply(ConfigMap, { metadata: request })
  })`
const other = `controller('other')
  .for(Other)
  .reconcile(() => {})`

it('finds the reconciler that shares the most lines with an example', () => {
  expect(mostAlike([other, 'expect(1).toBe(1)', example.replace('greeting', 'hello')], example)).toBe(2)
})

it('takes the first of several that are equally far from it', () => {
  expect(mostAlike(['const a = 1', other, other], example)).toBe(1)
})

it('takes a block without a reconciler only if it has much of the example', () => {
  const kind =
    'spec: s.object({\nname: s.string(),\nsize: s.integer(),\ncolour: s.string(),\nshape: s.string(),\n})'
  expect(mostAlike(['npm install', kind], `${kind}\n${example}`)).toBe(1)
  expect(mostAlike(['npm install', '.for(Greeting)'], example)).toBeUndefined()
})
