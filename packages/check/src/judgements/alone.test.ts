import type { ReconcileReport } from 'homeostat'
import { describe, expect, test } from 'vitest'
import type { Step } from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'
import { judgeAlone, judgeMachineUse, judgeMistake } from './alone.ts'

const object = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'a' }
const story: readonly Step[] = [{ step: 'rest' }]
const path = '/apis/apps/v1/namespaces/default/deployments/a'

function outcomeOf(more: Partial<Outcome>): Outcome {
  const restart = { waitedForWork: 0, changedByRestart: [], isSettledByRestart: false, sentByRestart: [] }
  return { objects: [], requests: [], reports: [], ...restart, ...more } as unknown as Outcome
}

function reported(more: object): Pick<Outcome, 'reports'> {
  const report = { controller: 'apps', request: { name: 'a' }, result: 'success', duration: 5 }
  return { reports: [{ ...report, ...more } as unknown as ReconcileReport] }
}

describe('an undisturbed run', () => {
  test('J10: whose last reconcile does not end', () => {
    const waits = (duration: number) => outcomeOf(reported({ result: 'abandoned', duration }))
    expect(judgeAlone(story, waits(600_000))).toMatchObject({
      finding: { class: 'never-ends' },
      isUnsettled: true,
    })
    expect(judgeAlone(story, waits(1_000))).toBeUndefined()
  })

  test('J11: whose last reconcile fails', () => {
    const error = new Error('no database')
    const { reports: fails } = reported({ result: 'error', error })
    const { reports: works } = reported({})
    expect(judgeAlone(story, outcomeOf({ reports: [...works, ...fails] }))).toMatchObject({
      finding: { class: 'always-fails', summary: 'the controller apps fails at a: no database' },
      isUnsettled: false,
    })
    expect(judgeAlone(story, outcomeOf({ reports: [...fails, ...works] }))).toBeUndefined()
  })

  test('J12: after which a new process changes an object', () => {
    const judged = judgeAlone(
      story,
      outcomeOf({ changedByRestart: [object], waitedForWork: 1_500, objects: [{ kind: 'Deployment' }] }),
    )
    expect(judged).toMatchObject({
      finding: {
        class: 'writes-at-rest',
        summary: 'a new process changes the Deployment default/a although nothing has happened',
        story: [...story, { step: 'wait', duration: '1500ms' }, { step: 'stop' }, { step: 'start' }],
      },
      isUnsettled: true,
    })
  })

  test.for([
    ['PUT', path, true],
    ['PUT', `${path}/status`, false],
    ['PATCH', path, false],
  ] as const)(
    'J12: after which a new process sends a %s of %s that changes nothing',
    ([method, sent, isFound]) => {
      const sentByRestart = [{ method, path: sent, code: 200 }] as unknown as Outcome['sentByRestart']
      const judged = judgeAlone(story, outcomeOf({ sentByRestart }))
      expect(judged?.finding.class).toBe(isFound ? 'writes-at-rest' : undefined)
    },
  )

  test('J13: after which only the first new process changes something has missed Pods', () => {
    const changed = { changedByRestart: [object], isSettledByRestart: true }
    expect(
      judgeAlone(story, outcomeOf({ ...changed, objects: [{ kind: 'Deployment' }] }))?.finding.class,
    ).toBe('late-pods')
    expect(
      judgeAlone(story, outcomeOf({ ...changed, objects: [{ kind: 'ConfigMap' }] }))?.finding.class,
    ).toBe('writes-at-rest')
  })

  test('J15: in which the operator uses the machine', () => {
    expect(judgeMachineUse(story, [{ what: 'Date.now', line: 'a.ts:3:1' }])).toMatchObject({
      class: 'machine-clock',
      summary: 'the operator calls Date.now of the machine',
      line: 'a.ts:3:1',
    })
    expect(judgeMachineUse(story, [])).toBeUndefined()
  })
})

test('J4: an error of JavaScript is a finding at any reconcile, and another error is not', () => {
  const { reports: works } = reported({})
  const thrown = (error: Error) =>
    outcomeOf({ reports: [...reported({ result: 'error', error }).reports, ...works] })
  expect(judgeMistake(story, thrown(new TypeError('x is undefined')))).toMatchObject({
    class: 'always-fails',
    summary: 'the controller apps throws at a: TypeError: x is undefined',
  })
  expect(judgeMistake(story, thrown(new ReferenceError('y')))).toBeDefined()
  expect(judgeMistake(story, thrown(new RangeError('refused')))).toBeUndefined()
})
