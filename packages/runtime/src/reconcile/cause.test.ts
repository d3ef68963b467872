import { describe, expect, test } from 'vitest'
import { Deployment } from '@homeostat/api/kinds'
import type { ObjectEvent } from '../cache/informer.ts'
import type { Cause } from './cause.ts'
import { describeCause, describeCauses } from './describe-cause.ts'
import { causeOfEvent } from './event-cause.ts'

const object = { namespace: 'default', name: 'viewer-x' }

describe('a cause as a sentence', () => {
  test.each([
    [{ type: 'start', kind: 'Deployment', object }, 'Deployment default/viewer-x was there at the start'],
    [{ type: 'created', kind: 'Deployment', object }, 'Deployment default/viewer-x was created'],
    [
      { type: 'updated', kind: 'Deployment', object, changed: ['spec', 'labels'] },
      'Deployment default/viewer-x was updated (spec, labels)',
    ],
    [{ type: 'updated', kind: 'Deployment', object, changed: [] }, 'Deployment default/viewer-x was updated'],
    [{ type: 'deleting', kind: 'Deployment', object }, 'Deployment default/viewer-x is being deleted'],
    [{ type: 'deleted', kind: 'Deployment', object }, 'Deployment default/viewer-x was deleted'],
    [{ type: 'deleted', kind: 'Tenant', object: { name: 'a' } }, 'Tenant a was deleted'],
    [
      { type: 'resync', kind: 'Deployment', object },
      'Deployment default/viewer-x came up in the regular resync',
    ],
    [{ type: 'external', source: 'channel webhook', note: 'push to main' }, 'channel webhook: push to main'],
    [{ type: 'external', source: 'timer every 1h' }, 'timer every 1h sent an event'],
    [{ type: 'retry', attempt: 3, error: 'no such image' }, 'retry 3 after: no such image'],
    [{ type: 'conflict', attempt: 1, error: 'changed' }, 'retry 1 after a lost race: changed'],
    [{ type: 'requeue' }, 'the last reconcile asked to be called again'],
    [{ type: 'requeueAfter', milliseconds: 300_000 }, 'the last reconcile asked to be called again after 5m'],
    [{ type: 'requeueAfter', milliseconds: 42 }, 'the last reconcile asked to be called again after 42ms'],
    [
      { type: 'requeueAfter', milliseconds: 298_765 },
      'the last reconcile asked to be called again after 298.8s',
    ],
  ] satisfies [Cause, string][])('%o', (cause, sentence) => {
    expect(describeCause(cause)).toBe(sentence)
  })

  test('the same causes are counted, not repeated', () => {
    const changed: Cause = { type: 'updated', kind: 'ConfigMap', object: { name: 'a' }, changed: [] }
    expect(describeCauses([changed, { type: 'requeue' }, changed])).toBe(
      'ConfigMap a was updated (2 times); the last reconcile asked to be called again',
    )
  })
})

describe('the cause of an event', () => {
  const metadata = { namespace: 'default', name: 'viewer-x', uid: 'u', resourceVersion: '1', generation: 1 }

  function update(before: object, after: object): Cause {
    const event = {
      type: 'updated',
      before: { metadata: { ...metadata, ...before } },
      object: { metadata: { ...metadata, ...after } },
    }
    return causeOfEvent(Deployment, event as unknown as ObjectEvent)
  }

  test('names the object and which part of it changed', () => {
    expect(update({}, { generation: 2, labels: { a: 'b' } })).toEqual({
      type: 'updated',
      kind: 'Deployment',
      object,
      changed: ['spec', 'labels'],
    })
  })

  test.each([
    [{ annotations: { a: 'b' } }, { annotations: { a: 'c' } }, ['annotations']],
    [{ labels: { a: 'b' } }, {}, ['labels']],
    [{ finalizers: ['x'] }, { finalizers: [] }, ['finalizers']],
    [{}, { ownerReferences: [{ uid: 'o' }] }, ['owners']],
    [{}, { resourceVersion: '2' }, ['status']],
    [{ generation: undefined }, { generation: undefined, resourceVersion: '2' }, ['content']],
    [{}, {}, []],
  ])('from %o to %o it is %o', (before, after, changed) => {
    expect(update(before, after)).toMatchObject({ type: 'updated', changed })
  })

  test('says that the object is being deleted as soon as it has a deletionTimestamp', () => {
    expect(update({}, { deletionTimestamp: '2026-01-01T00:00:00Z', generation: 2 }).type).toBe('deleting')
  })
})
