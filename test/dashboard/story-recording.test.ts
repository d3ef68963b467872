import { expect, it } from 'vitest'
import { MomentState, type Recording } from '../../packages/dashboard/src/recording/index.ts'
import { findForgottenLabel, recordStory } from './told-story.ts'

/** Everything at the end of a step. */
function stateAt({ start, entries, story }: Recording, step: number): MomentState {
  const state = new MomentState(start)
  for (const entry of entries) if (entry.sequence <= story!.steps[step]!.until) state.apply(entry)
  return state
}

const child = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'one' }
const named = (state: MomentState, kind: string): any =>
  [...state.objects.values()].find((object) => object.kind === kind)

it('records each step of a finding’s story with the objects at its end', async () => {
  const finding = await findForgottenLabel()
  const recording = JSON.parse(await recordStory(finding)) as Recording
  const story = recording.story!
  expect(story).toMatchObject({ class: 'history', summary: finding.summary })
  expect(story.steps.map(({ text }) => text)).toEqual([
    expect.stringContaining('the user creates the Note default/one'),
    expect.stringContaining('the user changes the Note default/one'),
    'the operator runs until it has nothing left to do',
  ])
  // The step of a user shows what the user did, and not yet what the operator made of it.
  expect(named(stateAt(recording, 0), 'Note').spec.label).toBe('b')
  expect(named(stateAt(recording, 0), 'ConfigMap')).toBeUndefined()
  expect(named(stateAt(recording, 1), 'Note').spec.label).toBeUndefined()
  // What is wrong stands at the end.
  expect(named(stateAt(recording, 2), 'ConfigMap').data.label).toBe('b')
  expect(story.differences).toContainEqual(expect.objectContaining({ path: 'data.label', found: 'b' }))
  expect(recording.entries.some(({ type }) => type === 'ended')).toBe(true)
  const times = recording.entries.filter(({ type }) => type !== 'queue').map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(new Set(times).size).toBe(times.length)
})

it('takes the change of a step, and not one before it, as the step’s effect', async () => {
  const finding = await findForgottenLabel()
  const [create, , rest] = finding.story
  const edit = { step: 'edit', object: child, path: ['data', 'text'], value: 'edited' } as const
  const remove = { step: 'remove', object: child } as const
  const again = { ...finding, story: [create!, edit, rest!, remove, rest!] }
  const recording = JSON.parse(await recordStory(again)) as Recording
  expect(named(stateAt(recording, 1), 'ConfigMap').data.text).toBe('edited')
  expect(named(stateAt(recording, 2), 'ConfigMap').data.text).toBe('a')
  expect(named(stateAt(recording, 3), 'ConfigMap')).toBeUndefined()
  expect(named(stateAt(recording, 4), 'ConfigMap').data.text).toBe('a')
})

it('records the end and the start of the operator’s processes', async () => {
  const finding = await findForgottenLabel()
  const [create, , rest] = finding.story
  const remove = { step: 'remove', object: child } as const
  const crash = { step: 'crash', request: 1, moment: 'before' } as const
  const story = [create!, rest!, { step: 'stop' }, { step: 'start' }, rest!, crash, remove, rest!] as const
  const again = { ...finding, story }
  const recording = JSON.parse(await recordStory(again)) as Recording
  const processes = recording.entries.flatMap((entry) => (entry.type === 'operator' ? [entry.isRunning] : []))
  expect(processes).toEqual([true, false, true, false, true])
  expect(stateAt(recording, 2).operator?.isRunning).toBe(false)
  expect(stateAt(recording, 3).operator?.isRunning).toBe(true)
})
