import { controller, defineKind, metadataOnly, operator, sample, schema as s } from 'homeostat'
import { ConfigMap, Namespace, Secret } from 'homeostat/kinds'
import { describe, expect, test } from 'vitest'
import { checkedOperator } from './checked-operator.ts'

const Note = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})
const secret = sample(Secret, { metadata: { namespace: 'default', name: 'one' } })
const note = sample(Note, { metadata: { namespace: 'default', name: 'one' }, spec: { text: '' } })
const kindsOf = (objects: readonly { kind: string }[]) => objects.map(({ kind }) => kind)

describe('the samples that are checked', () => {
  test('are those of the kind that the operator defines; a native object is what they need', async () => {
    const notes = controller('notes')
      .for(Note)
      .watches(Secret, () => [])
      .reconcile(() => {})
    const checked = await checkedOperator(operator('o', { controllers: [notes], samples: [secret, note] }))
    expect([kindsOf(checked.samples), kindsOf(checked.needs)]).toEqual([['Note'], ['Secret']])
  })

  test('are those of a native kind that a controller is for', async () => {
    const secrets = controller('secrets')
      .for(Secret)
      .watches(Namespace, () => [])
      .reconcile(() => {})
    const team = sample(Namespace, { metadata: { name: 'team' } })
    const checked = await checkedOperator(operator('o', { controllers: [secrets], samples: [team, secret] }))
    expect([kindsOf(checked.samples), kindsOf(checked.needs)]).toEqual([['Secret'], ['Namespace']])
  })

  test('are those of all watched kinds where no controller is for a kind', async () => {
    const copier = controller('copier')
      .watches(metadataOnly(Secret), () => [])
      .reconcile(() => {})
    const config = sample(ConfigMap, { metadata: { namespace: 'default', name: 'one' } })
    const checked = await checkedOperator(operator('o', { controllers: [copier], samples: [config, secret] }))
    expect([kindsOf(checked.samples), kindsOf(checked.needs)]).toEqual([['Secret'], ['ConfigMap']])
  })
})

test.each([
  [controller('notes').for(Note), 'has no sample of Note: give'],
  [controller('any').watches(Secret, () => []), 'has no sample of Secret: give'],
])('an operator without a sample is refused with the kinds that may have one', async (builder, message) => {
  const source = operator('o', { controllers: [builder.reconcile(() => {})] })
  await expect(checkedOperator(source)).rejects.toThrow(message)
})
