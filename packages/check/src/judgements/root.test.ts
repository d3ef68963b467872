import { describe, expect, test } from 'vitest'
import type { Step } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import { says } from './fact.ts'
import type { Finding } from './finding.ts'
import { isSameRoot, rootOf } from './root.ts'
import type { Trial } from './trial.ts'

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
const rest: Step = { step: 'rest' }
const change: Step = { step: 'change', object }
const crash: Step = { step: 'crash', request: 1, moment: 'before' }
const other = { object: 'Job default/a', path: 'spec.x', expected: 1, found: 2 }
const extra = { object: 'Job default/a-2', path: '', expected: undefined, found: {} }

const status = { object: 'Task default/a', path: 'status.jobs', expected: 1, found: 2 }

function findingOf(found: Finding['class'], line: string | undefined, ...differences: Difference[]): Finding {
  return { class: found, ...says({ fact: 'message', message: '' }), story: [], differences, line, root: '' }
}

function trialOf(found: Trial['class'], ...story: Step[]): Trial {
  return { class: found, story, reference: [], expects: { type: 'same' } }
}

describe('roots', () => {
  test('J33: a child that is not changed, also during downtime, and one that is not healed have one root', () => {
    const edit: Step = { step: 'edit', object: { ...object, name: 'a' }, path: ['spec', 'x'], value: 2 }
    const changed = rootOf(trialOf('history', change, rest), [other])
    expect(rootOf(trialOf('not-healed', edit, rest), [other])).toBe(changed)
    expect(rootOf(trialOf('downtime', { step: 'stop' }, change, rest), [other])).toBe(changed)
  })

  test('J34: an object that should not exist and one with wrong content have different roots', () => {
    expect(rootOf(trialOf('history', change, rest), [extra])).not.toBe(
      rootOf(trialOf('history', change, rest), [other]),
    )
  })

  test('J35: a fault while the operator acts on a change has a separate root', () => {
    const inChange = rootOf(trialOf('crash', crash, change, rest), [other])
    expect(inChange).not.toBe(rootOf(trialOf('history', change, rest), [other]))
    expect(inChange).not.toBe(rootOf(trialOf('crash', crash, rest), [other]))
    expect(inChange).toBe(rootOf(trialOf('failed-request', change, rest), [other]))
  })

  test('J36: work that falls due while the operator is down and a change in that time have different roots', () => {
    const stop: Step = { step: 'stop' }
    expect(rootOf(trialOf('downtime', stop, rest), [other])).not.toBe(
      rootOf(trialOf('downtime', stop, change, rest), [other]),
    )
  })

  test('J37: faults at one line that leave the same kind wrong have one root, whatever the class and the object', () => {
    const failed = findingOf('failed-request', 'a.ts:3:1', other)
    expect(isSameRoot(failed, findingOf('combination', 'a.ts:3:1', extra))).toBe(true)
    expect(isSameRoot(failed, findingOf('combination', 'a.ts:4:1', extra))).toBe(false)
    expect(isSameRoot(failed, findingOf('combination', undefined, extra))).toBe(false)
    expect(isSameRoot(failed, findingOf('takes-over', 'a.ts:3:1', extra))).toBe(false)
    expect(isSameRoot(failed, findingOf('failed-request', 'a.ts:3:1', status))).toBe(false)
  })

  test('J38: a stale cache that shows in one kind of object and in a count of them has one root', () => {
    const surplus = findingOf('stale-cache', undefined, extra)
    expect(isSameRoot(surplus, findingOf('stale-cache', undefined, status, extra))).toBe(true)
    expect(isSameRoot(surplus, findingOf('stale-cache', undefined, status))).toBe(false)
    expect(isSameRoot(surplus, findingOf('stale-cache', undefined))).toBe(false)
    expect(isSameRoot(findingOf('stale-cache', undefined), surplus)).toBe(false)
  })
})
