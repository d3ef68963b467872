import { defineKind, schema as s } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { controller, operator, sample } from 'homeostat'
import { expect, it } from 'vitest'
import { installOperator } from './install-operator.ts'
import { OperatorTest } from './testing/index.ts'

const note = (text = s.string()) =>
  defineKind({ group: 'example.com', version: 'v1', kind: 'Note', spec: s.object({ text }) })
const Note = note()
const key = { namespace: 'default', name: 'a' }
const notes = controller('notes')
  .for(Note)
  .reconcile(() => {})
const samples = [
  sample(ConfigMap, { metadata: key, data: { text: 'hello' } }),
  sample(Note, { metadata: key, spec: { text: 'hello' } }),
]

it('makes the kinds known, then applies the samples', async () => {
  await using test = await OperatorTest.start(operator('nothing', {}))
  await installOperator(test.client, operator('notes', { controllers: [notes], samples }))
  expect(await test.client.getOrThrow(Note, key)).toMatchObject({ spec: { text: 'hello' } })
  expect(await test.client.getOrThrow(ConfigMap, key)).toMatchObject({ data: { text: 'hello' } })
})

it('updates existing objects, definitions included', async () => {
  await using test = await OperatorTest.start(operator('nothing', {}))
  const { client } = test
  await installOperator(client, () => operator('notes', { controllers: [notes], samples }))
  const changed = operator('notes', {
    kinds: [note(s.string().maxLength(5))],
    samples: [sample(Note, { metadata: key, spec: { text: 'bye' } })],
  })
  await installOperator(client, changed)
  expect(await client.getOrThrow(Note, key)).toMatchObject({ spec: { text: 'bye' } })
  const long = { metadata: { ...key, name: 'b' }, spec: { text: 'too long' } }
  await expect(client.create(Note, long)).rejects.toThrow('spec.text')
})

it('applies no samples with samples: false', async () => {
  await using test = await OperatorTest.start(operator('nothing', {}))
  await installOperator(test.client, operator('notes', { controllers: [notes], samples }), { samples: false })
  expect(await test.client.list(Note)).toEqual([])
})

it('names the sample of a kind that is not served', async () => {
  await using test = await OperatorTest.start(operator('nothing', {}))
  const installing = installOperator(test.client, operator('notes', { kinds: [], samples }))
  await expect(installing).rejects.toThrow('the sample Note a of the operator notes is of example.com/v1')
  await expect(installing).rejects.toMatchObject({ code: 'KIND_NOT_SERVED' })
})
