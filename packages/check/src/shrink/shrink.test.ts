import { describe, expect, test } from 'vitest'
import type { Trial } from '../judgements/index.ts'
import type { Step } from '../stories/index.ts'
import { shrink } from './shrink.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }
const create: Step = { step: 'create', object }
const edit: Step = { step: 'edit', object: reference, path: ['metadata', 'labels', 'x'], value: 'yes' }
const rest: Step = { step: 'rest' }

test('SH5, SH6: an edit that the reference has as well stays in the story, and so does the last rest', async () => {
  const trial: Trial = {
    class: 'foreign-field-lost',
    story: [create, rest, edit, rest],
    reference: [create, edit],
    expects: { type: 'kept', object: reference },
  }
  const smallest = await shrink(trial, () => Promise.resolve(true))
  expect(smallest.story).toEqual([create, edit, rest])
})

test('SH6: time that passes in the reference as well goes from both, or from neither', async () => {
  const hour: Step = { step: 'wait', duration: '1h' }
  const trial: Trial = {
    class: 'downtime',
    story: [create, { step: 'stop' }, hour, { step: 'start' }, rest],
    reference: [create, hour, rest],
    expects: { type: 'same' },
  }
  // The story without its hour would differ from a reference with one.
  const isLost = ({ story, reference }: Trial) =>
    Promise.resolve(reference.includes(hour) && story.some(({ step }) => step === 'stop'))
  expect(await shrink(trial, isLost)).toBe(trial)
  const smallest = await shrink(trial, () => Promise.resolve(true))
  expect(smallest).toMatchObject({
    story: [create, { step: 'stop' }, { step: 'start' }, rest],
    reference: [create, rest],
  })
})

test('SH4: steps of the user may be removed where nothing is compared', async () => {
  const change: Step = { step: 'change', object }
  const remove: Step = { step: 'delete', object: reference }
  const story = [create, change, remove, rest]
  const trial: Trial = { class: 'right-not-declared', story, reference: [], expects: { type: 'allowed' } }
  const smallest = await shrink(trial, (smaller) => Promise.resolve(smaller.story.includes(remove)))
  expect(smallest.story).toEqual([create, remove, rest])
})

test('SH7: a start is removed with the crash before it', async () => {
  const crash: Step = { step: 'crash', request: 1, moment: 'after', staysDown: true }
  const start: Step = { step: 'start' }
  const trial: Trial = {
    class: 'crash',
    story: [crash, create, start, rest],
    reference: [create],
    expects: { type: 'same' },
  }
  const smallest = await shrink(trial, () => Promise.resolve(true))
  expect(smallest.story).toEqual([create, rest])
  const kept = await shrink(trial, (smaller) => Promise.resolve(smaller.story.includes(crash)))
  expect(kept.story).toEqual([crash, create, start, rest])
})

test('SH4: what a user does stays where states are compared', async () => {
  const change: Step = { step: 'change', object: { ...object, data: {} } }
  const remove: Step = { step: 'delete', object: reference }
  const pods: Step = { step: 'pods', behaviour: 'late' }
  const story = [create, pods, rest, change, remove, rest]
  const trial: Trial = { class: 'history', story, reference: [create], expects: { type: 'same' } }
  const smallest = await shrink(trial, () => Promise.resolve(true))
  expect(smallest.story.map(({ step }) => step)).toEqual(['create', 'change', 'delete', 'rest'])
})

describe('the result', () => {
  const crash = (request: number): Step => ({ step: 'crash', request, moment: 'before' })
  const story = [crash(1), crash(2), crash(3), create, rest]
  const trial: Trial = { class: 'crash', story, reference: [create], expects: { type: 'same' } }

  test('SH1: is the trial itself where nothing smaller fails', async () => {
    expect(await shrink(trial, () => Promise.resolve(false))).toBe(trial)
  })

  test('SH1, SH2: still fails, and nothing smaller does', async () => {
    const played: Trial[] = []
    const smallest = await shrink(trial, (smaller) => {
      played.push(smaller)
      return Promise.resolve(smaller.story.length >= 4)
    })
    expect(smallest.story).toEqual([crash(2), crash(3), create, rest])
    expect(played.map((one) => one.story)).toEqual([
      smallest.story,
      [crash(3), create, rest],
      [crash(2), create, rest],
    ])
  })

  test('SH3: comes after 60 smaller trials, steps first', async () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, 'x']))
    const large: Step = { step: 'create', object: { ...object, data } }
    const lengths: number[] = []
    const smallest = await shrink({ ...trial, story: [crash(1), large, rest] }, (smaller) => {
      lengths.push(smaller.story.length)
      return Promise.resolve(false)
    })
    expect(lengths).toEqual([2, ...Array.from({ length: 59 }, () => 3)])
    expect(smallest.story).toEqual([crash(1), large, rest])
  })
})

test('SH8: a field is left out wherever the object is created or changed, and metadata stays', async () => {
  const labelled = { ...object, metadata: { name: 'a', labels: { x: 'y' } } }
  const full = { ...labelled, data: { needed: 'a', list: ['b', 'c'], spare: 'd' } }
  const needed = { ...labelled, data: { needed: 'a', list: ['c'] } }
  const change: Step = { step: 'change', object: full }
  const trial: Trial = {
    class: 'history',
    story: [{ step: 'create', object }, { step: 'repeat', times: 2, steps: [change] }, change, rest],
    reference: [{ step: 'create', object: full }],
    expects: { type: 'same' },
  }
  const isNeeded = (step: Step | undefined): boolean => {
    const { data } = step?.step === 'change' ? (step.object as Partial<typeof full>) : {}
    return data?.needed === 'a' && data.list?.includes('c')
  }
  const smallest = await shrink(trial, ({ story }) => Promise.resolve(isNeeded(story[2])))
  const smaller: Step = { step: 'change', object: needed }
  expect(smallest.story).toEqual([
    { step: 'create', object },
    { step: 'repeat', times: 2, steps: [smaller] },
    smaller,
    rest,
  ])
  expect(smallest.reference).toEqual([{ step: 'create', object: needed }])
})
