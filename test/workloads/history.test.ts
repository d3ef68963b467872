import { describe, expect, test } from 'vitest'
import { differences } from './differences.ts'
import { historyOf } from './history.ts'
import { judge } from './judge.ts'
import type { Played } from './play.ts'
import type { Change } from './recorder.ts'

let versions = 0

function change(type: Change['type'], kind: string, metadata: object, rest: object = {}): Change {
  versions++
  const object = { kind, metadata: { resourceVersion: String(versions), ...metadata }, spec: {}, ...rest }
  return { type, resource: 'pods', object }
}

function played(...steps: readonly (readonly Change[])[]): Played {
  return {
    namespace: 'here-1',
    node: 'node-1',
    steps: steps.map((changes, index) => ({ title: `step ${index}`, problems: [], changes })),
    events: [],
  }
}

function pod(name: string, hash: string, uid: string) {
  return { name, generateName: `web-${hash}-`, uid, labels: { 'pod-template-hash': hash } }
}

/** A ReplicaSet that is scaled step by step. */
function scaled(...sizes: readonly number[]): Change[] {
  const metadata = { name: 'web', uid: '11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa' }
  return sizes.map((replicas, index) =>
    change(index === 0 ? 'ADDED' : 'MODIFIED', 'ReplicaSet', metadata, {
      spec: { replicas },
      status: { replicas },
    }),
  )
}

describe('a run made comparable', () => {
  test('has names that do not depend on chance', () => {
    const run = (hash: string, suffixes: readonly [string, string], uids: readonly [string, string]) => {
      const [first, second] = uids
      const [one, two] = suffixes.map((suffix, index) =>
        pod(`web-${hash}-${suffix}`, hash, uids[index] ?? ''),
      )
      const owner = { metadata: { name: 'x', uid: 'c' }, note: `${one?.name} is ${first}, not ${second}` }
      return historyOf(
        played(
          [change('ADDED', 'Pod', two ?? {}), change('ADDED', 'Pod', one ?? {})],
          [
            change('DELETED', 'Pod', one ?? {}),
            change('ADDED', 'ConfigMap', owner.metadata, { data: owner.note }),
          ],
        ),
      )
    }
    const uids = ['12345678-aaaa-4aaa-8aaa-aaaaaaaaaaaa', '12345678-bbbb-4bbb-8bbb-bbbbbbbbbbbb'] as const
    const history = run('abc123', ['xxxxx', 'yyyyy'], uids)
    expect(history).toEqual(run('77def', ['zzzzz', 'aaaaa'], [uids[1], uids[0]]))
    expect(Object.keys(history.last)).toEqual(['ConfigMap/x', 'Pod/web-HASH1-1', 'Pod/web-HASH1-2'])
    expect(history.last['ConfigMap/x']).toEqual({
      spec: {},
      data: 'web-HASH1-1 is uid of Pod/web-HASH1-1, not uid of Pod/web-HASH1-2',
    })
  })

  test('tells an object from the one that takes its name later', () => {
    const first = { name: 'db-0', generateName: 'db-', uid: '1' }
    const history = historyOf(
      played(
        [change('ADDED', 'Pod', first)],
        [change('DELETED', 'Pod', first), change('ADDED', 'Pod', { ...first, uid: '2' })],
      ),
    )
    expect(history.steps[1]?.objects).toEqual({
      'Pod/db-0': { is: 'gone', changed: {} },
      'Pod/db-0 (2)': { is: 'made', changed: {} },
    })
  })

  test('keeps the order of values, and of counters where a step ends', () => {
    const history = historyOf(played(scaled(3), scaled(0, 2, 1).slice(1)))
    expect(history.steps[1]?.objects['ReplicaSet/web']?.changed).toEqual({
      'spec.replicas': [3, 2, 1],
      'status.replicas': [3, 1],
    })
  })
})

describe('the difference between two runs', () => {
  test('is found in the order of changes, though both end alike', () => {
    const [straight, round] = [historyOf(played(scaled(1, 3, 2))), historyOf(played(scaled(1, 2)))]
    expect(differences(straight, round)).toEqual([
      { at: 'step 0 (step 0) › ReplicaSet/web › spec.replicas', words: '[1,3,2], not [1,2]' },
    ])
  })

  test('is found in when something happens', () => {
    const early = historyOf(played(scaled(1, 2), []))
    const late = historyOf(played(scaled(1), scaled(1, 2).slice(1)))
    expect(differences(early, late).map(({ at }) => at)).toContain(
      'step 1 (step 1) › ReplicaSet/web › spec.replicas',
    )
  })

  test('is found in objects that only one has, and in what was told', () => {
    const [one, none] = [historyOf(played(scaled(1))), historyOf(played([]))]
    expect(differences({ ...one, events: ['Scaled'] }, none).map(({ at }) => at)).toEqual([
      'step 0 (step 0) › ReplicaSet/web › is',
      'last › ReplicaSet/web',
      'events › Scaled',
    ])
  })

  test('passes only where it is known, and what is known must differ', () => {
    const found = [{ at: 'step 1 › Pod/a › spec', words: '1, not 2' }]
    const known = { scenarios: ['a scenario'], at: /Pod\/a/, reason: 'so it is' }
    expect(judge('a scenario', found, [known])).toEqual([])
    expect(judge('another', found, [known])).toEqual(['step 1 › Pod/a › spec: 1, not 2'])
    expect(judge('a scenario', [], [known])).toEqual([expect.stringContaining('no longer differs')])
  })
})
