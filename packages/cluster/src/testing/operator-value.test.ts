import { defineKind, schema as s } from '@homeostat/api'
import { admission, controller, invalid, operator, type Client } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { killAtEachCall } from './kill-at-each-call.ts'
import { OperatorTest } from './operator-test.ts'

const Note = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})
const key = { namespace: 'default', name: 'a' }
const note = { metadata: key, spec: { text: 'hello' } }

const notes = controller('notes')
  .for(Note)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client }) => {
    const found = await client.get(Note, request)
    if (found) await client.apply(ConfigMap, { metadata: request, data: { text: found.spec.text } })
  })

describe('a test of an operator', () => {
  it('serves the kinds of its controllers, and grants what it declares', async () => {
    await using test = await OperatorTest.start(operator('notes', { controllers: [notes] }))
    await test.client.create(Note, note)
    await test.settle()
    expect(test.writes()).toEqual(['patch configmaps default/a'])
  })

  it('calls its webhooks and runs its runnables', async () => {
    const checked = admission(Note).validates({
      create: ({ spec }) => (spec.text === '' ? [invalid('spec.text', 'is empty')] : []),
    })
    const seed = {
      name: 'seed',
      run: async ({ client }: { client: Client }) =>
        void (await client.create(Note, { metadata: { ...key, name: 'seed' }, spec: { text: 'first' } })),
      access: [{ kind: Note, verbs: ['create'] as const }],
    }
    const whole = operator('notes', { controllers: [notes], webhooks: [checked], runnables: [seed] })
    await using test = await OperatorTest.start(whole)
    expect(await test.client.getOrThrow(ConfigMap, { ...key, name: 'seed' })).toMatchObject({
      data: { text: 'first' },
    })
    await expect(test.client.create(Note, { ...note, spec: { text: '' } })).rejects.toThrow('is empty')
  })

  it('serves further kinds from its settings', async () => {
    const Other = defineKind({ group: 'example.com', version: 'v1', kind: 'Other', spec: s.object({}) })
    await using test = await OperatorTest.start(operator('notes', { controllers: [notes] }), {
      kinds: [Other],
    })
    expect(await test.client.list(Other)).toEqual([])
  })

  it('calls a function that makes the operator once for each process', async () => {
    let made = 0
    const source = () => {
      const seen = new Set<string>()
      const process = String(++made)
      const counting = controller('notes')
        .for(Note)
        .writes(ConfigMap, 'apply')
        .reconcile(async (request, { client }) => {
          seen.add(request.name)
          const data = { process, seen: String(seen.size) }
          await client.apply(ConfigMap, { metadata: request, data })
        })
      return operator('notes', { controllers: [counting] })
    }
    await using test = await OperatorTest.start(source)
    await test.client.create(Note, note)
    await test.settle()
    await test.restart()
    expect(made).toBe(2)
    expect(await test.client.getOrThrow(ConfigMap, key)).toMatchObject({ data: { process: '2', seen: '1' } })
  })

  it('prefers the options of the test to those of the operator', async () => {
    const whole = operator('notes', {
      controllers: [notes],
      manager: { leaderElection: { name: 'notes', namespace: 'default' } },
    })
    await using test = await OperatorTest.start(whole, { manager: { leaderElection: undefined } })
    await test.client.create(Note, note)
    await test.settle()
    expect(test.writes()).not.toContainEqual(expect.stringContaining('leases'))
  })

  it('keeps the Lease of an operator that elects a leader where its account may write it', async () => {
    const whole = operator('notes', {
      controllers: [notes],
      manager: { leaderElection: { name: 'notes', namespace: 'kube-system' } },
    })
    await using test = await OperatorTest.start(whole)
    await test.client.create(Note, note)
    await test.settle()
    expect(test.writes()).toContain('patch configmaps default/a')
  })

  it('kills it at each call', async () => {
    const { kills, state } = await killAtEachCall(
      operator('notes', { controllers: [notes] }),
      async (test) => {
        await test.client.create(Note, note)
        await test.settle()
        return (await test.client.get(ConfigMap, key))?.data
      },
    )
    expect(kills).toBeGreaterThan(4)
    expect(state).toEqual({ text: 'hello' })
  })
})
