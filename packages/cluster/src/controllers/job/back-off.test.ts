import type { Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { countFailures, waitAfter, waitAfterPod } from './back-off.ts'

const MINUTE = 60_000
function ended(minute: number, annotations: Record<string, string> = {}): Pod {
  const finishedAt = new Date(minute * MINUTE).toISOString()
  return {
    metadata: { annotations, creationTimestamp: finishedAt },
    spec: { containers: [] },
    status: { containerStatuses: [{ state: { terminated: { exitCode: 1, finishedAt } } }] },
  } as unknown as Pod
}

describe('failures of Pods', () => {
  it('add up until one succeeds', () => {
    const first = countFailures(undefined, [], [ended(1), ended(3)])
    expect(first).toEqual({ count: 2, last: 3 * MINUTE })
    expect(countFailures(first, [], [ended(2)])).toEqual({ count: 3, last: 2 * MINUTE })
    expect(countFailures(first, [], [])).toBe(first)
    expect(countFailures(first, [ended(4)], []).count).toBe(0)
  })

  it('count only from the last success on', () => {
    const both = countFailures({ count: 5, last: 0 }, [ended(2)], [ended(1), ended(3), ended(4)])
    expect(both).toEqual({ count: 2, last: 4 * MINUTE })
  })

  it('double the wait for the next Pod each time, up to ten minutes', () => {
    const waits = [0, 1, 2, 3, 6, 7, 50].map((count) => waitAfter({ count, last: 0 }, 0) / 1_000)
    expect(waits).toEqual([0, 10, 20, 40, 320, 600, 600])
    expect(waitAfter({ count: 1, last: 0 }, 4_000)).toBe(6_000)
    expect(waitAfter({ count: 1, last: 0 }, 11_000)).toBe(0)
  })

  it('of one index are counted by the annotations of its last Pod', () => {
    const annotations = {
      'batch.kubernetes.io/job-index-failure-count': '1',
      'batch.kubernetes.io/job-index-ignored-failure-count': '1',
    }
    expect(waitAfterPod(ended(0, annotations), 0)).toBe(40_000)
    expect(waitAfterPod(ended(0, { 'batch.kubernetes.io/job-index-failure-count': '-9' }), 0)).toBe(10_000)
  })
})
