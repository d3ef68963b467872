import { controller, defineKind, operator, sample, schema as s } from 'homeostat'
import { expect, test } from 'vitest'
import { LocalTrialHost } from './trial-host.ts'

const Clock = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Clock',
  spec: s.object({ zone: s.string().optional() }),
  status: s.object({ period: s.integer().optional() }),
})

/** An operator that counts in the status how many periods of this many minutes old an object is. */
function counting(minutes: number) {
  const length = minutes * 60_000
  const clocks = controller('clocks')
    .for(Clock)
    .writes(Clock, 'status.apply')
    .reconcile(async (key, { client, clock }) => {
      const found = await client.get(Clock, key)
      if (!found) return undefined
      const age = clock.now() - Date.parse(found.metadata.creationTimestamp)
      await client.status.apply(Clock, key, { period: Math.floor(age / length) })
      return { requeueAfter: length - (age % length) }
    })
  const samples = [sample(Clock, { metadata: { namespace: 'default', name: 'wall' }, spec: {} })]
  return new LocalTrialHost(operator('clocks', { controllers: [clocks], samples }), { combinations: 0 })
}

test('a sample whose work falls due every five minutes gets a note', async () => {
  const { notes, findings } = await counting(5).plan()
  expect(findings).toEqual([])
  expect(notes).toEqual([
    expect.stringMatching(
      /^the state of Clock default\/wall changes by itself: its work fell due 1\d times in an hour\. .* at most once an hour$/,
    ),
  ])
})

test('a sample whose work falls due once an hour gets none', async () => {
  expect(await counting(60).plan()).toMatchObject({ notes: [], findings: [] })
})
