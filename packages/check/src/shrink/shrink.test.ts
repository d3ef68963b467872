import { expect, test } from 'vitest'
import type { Trial } from '../judgements/index.ts'
import type { Step } from '../stories/index.ts'
import { shrink } from './shrink.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' }
const create: Step = { step: 'create', object }
const edit: Step = { step: 'edit', object: reference, path: ['metadata', 'labels', 'x'], value: 'yes' }
const rest: Step = { step: 'rest' }

test('SHR-1: an edit that the reference has as well stays in the story', async () => {
  const trial: Trial = {
    class: 'foreign-field-lost',
    story: [create, rest, edit, rest],
    reference: [create, edit],
    expects: { type: 'kept', object: reference },
  }
  const smallest = await shrink(trial, () => Promise.resolve(true))
  expect(smallest.story).toEqual([create, edit, rest])
})

test('SHR-2: steps of the user may be removed where nothing is compared', async () => {
  const change: Step = { step: 'change', object }
  const remove: Step = { step: 'delete', object: reference }
  const story = [create, change, remove, rest]
  const trial: Trial = { class: 'right-not-declared', story, reference: [], expects: { type: 'allowed' } }
  const smallest = await shrink(trial, (smaller) => Promise.resolve(smaller.story.includes(remove)))
  expect(smallest.story).toEqual([create, remove, rest])
})

test('SHR-3: a start is removed with the crash before it', async () => {
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
