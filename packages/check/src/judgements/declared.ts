import { deepEqual } from '@homeostat/api'
import type { Story } from '../stories/index.ts'
import { EXTERNAL, type Outcome } from '../world/index.ts'
import { says } from './fact.ts'
import type { Finding } from './finding.ts'
import type { Trial } from './trial.ts'

/** An invariant of the author that did not hold at some moment. */
export function judgeInvariants(story: Story, { violation }: Outcome): Finding | undefined {
  if (!violation) return undefined
  const { name, message } = violation
  return {
    class: 'invariant',
    ...says({ fact: 'invariant', name, message }),
    story,
    differences: [],
    root: `invariant ${name}`,
  }
}

/** Finds resources that an external system still has after all objects were deleted. */
export function judgeExternal(
  { story, reference }: Trial,
  { state, externalAtStart }: Outcome,
): Finding | undefined {
  for (const [object, found] of state) {
    if (!object.startsWith(EXTERNAL)) continue
    const expected = externalAtStart.get(object)
    if (deepEqual(expected, found)) continue
    return {
      class: 'external',
      ...says({ fact: 'left outside', object }),
      story,
      reference,
      differences: [{ object, path: '', expected, found }],
      root: `external ${object}`,
    }
  }
  return undefined
}
