import { describe, expect, test } from 'vitest'
import type { ObjectEvent } from '../cache/informer.ts'
import { annotationsChanged, generationChanged, labelsChanged, resourceVersionChanged } from './changed.ts'
import { hasLabels } from './has-labels.ts'
import { and, not, or } from './predicate.ts'

function updated(before: object, after: object): ObjectEvent {
  return {
    type: 'updated',
    before: { metadata: before },
    object: { metadata: after },
  } as unknown as ObjectEvent
}

function happened(type: 'added' | 'deleted' | 'resync', metadata: object = {}): ObjectEvent {
  return { type, object: { metadata }, initial: false }
}

describe('generationChanged', () => {
  test('lets a change of the spec pass, and none of the status', () => {
    const version = { generation: 1, resourceVersion: '1' }
    expect(generationChanged(updated(version, { generation: 2, resourceVersion: '2' }))).toBe(true)
    expect(generationChanged(updated(version, { generation: 1, resourceVersion: '2' }))).toBe(false)
  })

  test('lets deletion pass, although some servers leave the generation as it is', () => {
    const deleting = { generation: 1, deletionTimestamp: '2026-01-01T00:00:00Z' }
    expect(generationChanged(updated({ generation: 1 }, deleting))).toBe(true)
    expect(generationChanged(updated(deleting, deleting))).toBe(false)
  })

  test('lets every new version of a kind without generations pass', () => {
    expect(generationChanged(updated({ resourceVersion: '1' }, { resourceVersion: '2' }))).toBe(true)
    expect(generationChanged(updated({ resourceVersion: '1' }, { resourceVersion: '1' }))).toBe(false)
  })
})

test('resourceVersionChanged drops only events of the same version', () => {
  expect(resourceVersionChanged(updated({ resourceVersion: '1' }, { resourceVersion: '2' }))).toBe(true)
  expect(resourceVersionChanged(updated({ resourceVersion: '1' }, { resourceVersion: '1' }))).toBe(false)
  expect(resourceVersionChanged(happened('resync'))).toBe(false)
  expect(resourceVersionChanged(happened('deleted'))).toBe(true)
})

describe.each([
  ['labelsChanged', labelsChanged, 'labels'],
  ['annotationsChanged', annotationsChanged, 'annotations'],
] as const)('%s', (_, predicate, field) => {
  test.each([
    [{ a: '1' }, { a: '2' }, true],
    [{ a: '1' }, {}, true],
    [undefined, { a: '1' }, true],
    [undefined, {}, false],
    [{ a: '1', b: '2' }, { b: '2', a: '1' }, false],
  ])('from %o to %o: %s', (before, after, changed) => {
    expect(predicate(updated({ [field]: before }, { [field]: after }))).toBe(changed)
  })
})

test('creation, deletion and the resync pass all of them', () => {
  for (const predicate of [generationChanged, labelsChanged, annotationsChanged]) {
    for (const type of ['added', 'deleted', 'resync'] as const) {
      expect(predicate(happened(type))).toBe(true)
    }
  }
})

test('hasLabels also lets the update pass that takes the label away', () => {
  const predicate = hasLabels({ app: 'web' })
  expect(predicate(happened('added', { labels: { app: 'web', other: 'x' } }))).toBe(true)
  expect(predicate(happened('added', { labels: { app: 'db' } }))).toBe(false)
  expect(predicate(happened('added'))).toBe(false)
  expect(predicate(updated({ labels: { app: 'web' } }, {}))).toBe(true)
  expect(hasLabels('app in (web, api), !canary')(happened('added', { labels: { app: 'api' } }))).toBe(true)
})

test('and, or and not combine predicates', () => {
  const event = happened('added')
  const [yes, no] = [() => true, () => false]
  expect([and(yes, yes)(event), and(yes, no)(event), and()(event)]).toEqual([true, false, true])
  expect([or(no, yes)(event), or(no, no)(event), or()(event)]).toEqual([true, false, false])
  expect([not(yes)(event), not(no)(event)]).toEqual([false, true])
})
