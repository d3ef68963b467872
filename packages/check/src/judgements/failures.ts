import type { Story } from '../stories/index.ts'
import { lineOf, type Outcome } from '../world/index.ts'
import { says } from './fact.ts'
import type { FindingClass } from './finding-class.ts'
import type { Finding } from './finding.ts'

/** Failures of a run that are findings whatever the story. */
const FAILURES: ReadonlyMap<string, FindingClass> = new Map([
  ['RECONCILE_LOOP', 'endless-loop'],
  ['ENDLESS_REQUESTS', 'endless-loop'],
  ['CLOCK_STUCK', 'never-ends'],
  ['RIGHT_NOT_DECLARED', 'right-not-declared'],
  ['CALLBACK_FAILED', 'callback-throws'],
])

/** The problems of a story that others are compared with. `usual` is the run of the sample as it is. */
export function judgeReference(
  story: Story,
  outcome: Outcome,
  usual: Outcome | undefined,
): Finding | undefined {
  if (outcome.failure) return FAILURES.has(outcome.failure.code) ? failureOf(story, outcome) : undefined
  return usual && restlessWrites(story, outcome, usual)
}

export function failureOf(story: Story, { failure }: Outcome): Finding {
  const { code, message } = failure!
  const [summary = '', ...details] = message.split('\n')
  const found = FAILURES.get(code) ?? 'check-failed'
  return {
    class: found,
    ...says({ fact: 'message', message: summary }),
    story,
    differences: [],
    details: details.length > 0 ? details.join('\n') : undefined,
    root: `${found} ${found === 'endless-loop' || found === 'never-ends' ? '' : summary}`,
  }
}

/**
 * An object that is written this often while the operator should come to rest, and does not change because time
 * passes.
 */
const MANY_WRITES = 20

/** Two reconciles that undo each other's writes: the runtime slows them down, but they never end. */
export function restlessWrites(story: Story, outcome: Outcome, reference: Outcome): Finding | undefined {
  if (outcome.requests.length <= MANY_WRITES) return undefined
  const usual = Math.max(0, ...writesPerRest(reference).values())
  for (const [key, count] of writesPerRest(outcome)) {
    if (story[Number.parseInt(key, 10)]?.step !== 'rest') continue
    if (count <= Math.max(MANY_WRITES, 3 * usual)) continue
    const path = key.slice(key.indexOf(' ') + 1)
    const request = outcome.requests.findLast((one) => one.path === path && one.method !== 'GET')
    return {
      class: 'endless-loop',
      ...says({ fact: 'many writes', path, count }),
      story,
      differences: [],
      line: request && lineOf(request),
      root: 'endless-loop ',
    }
  }
  return undefined
}

/** How often each object was written in each step. */
function writesPerRest({ requests }: Outcome): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { step, method, path, code = 0 } of requests) {
    if (method === 'GET' || code >= 300) continue
    const key = `${step} ${path}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
