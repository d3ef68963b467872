import type { Trial } from '../judgements/index.ts'
import { referenceTo, type Step, type Story } from '../stories/index.ts'
import { create, requestsFrom, REST, undisturbed, type Subject } from './trials.ts'

/** How many requests are delayed, one in each trial. */
const MOST_REQUESTS = 8
/** How many changes of the spec are tried where something else varies as well. */
const MOST_CHANGES = 3

/** Two objects at once, and a change while a request is under way: each request is late once, so that other reconciles overtake it. */
export function* overlapTrials({ sample, needs, changes, outcome }: Subject): Generator<Trial> {
  const before = needs.map(create)
  const changed = changes[0]?.object
  const other = {
    ...(changed ?? sample),
    metadata: { ...sample.metadata, name: `${sample.metadata.name}-2` },
  }
  const inTurn: Story = [...undisturbed(sample, needs), create(other), REST]
  const together: Story = [create(sample), create(other), REST]
  const trial = { class: 'interleaving', expects: { type: 'same' } } as const
  yield { ...trial, story: [...before, ...together], reference: inTurn }
  const requests = requestsFrom(outcome, needs.length)
  // All requests are late, so that no reconcile runs alone, also none that would put right what an earlier one did.
  const length = 2 * Math.min(requests.length, MOST_REQUESTS)
  const allSlow = Array.from({ length }, (_, index): Step => ({ step: 'slow', request: index + 1 }))
  if (allSlow.length > 0) yield { ...trial, story: [...before, ...allSlow, ...together], reference: inTurn }
  for (const { request } of requests.slice(0, MOST_REQUESTS)) {
    const slow: Step = { step: 'slow', request }
    yield { ...trial, story: [...before, slow, ...together], reference: inTurn }
    if (!changed) continue
    const story: Story = [
      ...before,
      slow,
      create(sample),
      { step: 'wait', duration: '1s' },
      change(changed),
      REST,
    ]
    yield { ...trial, story, reference: undisturbed(changed, needs) }
  }
}

/** Events that reach the operator's cache all at once, so that it never sees the states in between. */
export function* mergedEventTrials({ sample, needs, mutations }: Subject): Generator<Trial> {
  const story = undisturbed(sample, needs)
  const { kind } = sample
  const merged = (...steps: Step[]): Story => [
    ...story,
    { step: 'hold', kind },
    ...steps,
    { step: 'release', kind },
    REST,
  ]
  const same = { reference: story, expects: { type: 'same' } } as const
  const remove: Step = { step: 'delete', object: referenceTo(sample) }
  yield { ...same, class: 'recreation', story: merged(remove, create(sample)) }
  for (const changed of mutations.slice(0, MOST_CHANGES)) {
    yield { ...same, class: 'history', story: merged(change(changed), change(sample)) }
  }
}

function change(object: Subject['sample']): Step {
  return { step: 'change', object }
}
