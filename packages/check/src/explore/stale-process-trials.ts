import type { Trial } from '../judgements/index.ts'
import { nameOf, referenceTo, type Step, type Story } from '../stories/index.ts'
import { create, REST, undisturbed, type Subject } from './trials.ts'

/** How many changes of the spec are tried. */
const CHANGES = 3
/** Shorter than the time for which a server can answer from the past. */
const SOON: Step = { step: 'wait', duration: '30s' }

/**
 * A new process first sees an older state of the sample, as a server behind the others shows it: from before a change, or from
 * the deletion of an earlier object of the same name. Children that both states require must not be deleted meanwhile, even if
 * they are created again: their data would be lost.
 */
export function* staleProcessTrials({ sample, needs, outcome, mutations }: Subject): Generator<Trial> {
  const { kind } = sample
  const stale: Step = { step: 'stale', kind }
  const restart: Story = [
    { step: 'stop' },
    { step: 'hold', kind },
    { step: 'start' },
    { step: 'wait', duration: '2m' },
    { step: 'release', kind },
    REST,
  ]
  const before = undisturbed(sample, needs)
  const own = nameOf(sample)
  const objects = [...outcome.state.keys()].filter((name) => name !== own)
  const trial = { class: 'stale-cache', expects: { type: 'spared', objects } } as const
  const remove: Step = { step: 'delete', object: referenceTo(sample) }
  yield {
    ...trial,
    story: [...before, remove, stale, SOON, create(sample), SOON, ...restart],
    reference: before,
  }
  for (const mutation of mutations.slice(0, CHANGES)) {
    yield {
      ...trial,
      story: [...before, stale, { step: 'change', object: mutation }, SOON, ...restart],
      reference: undisturbed(mutation, needs),
    }
  }
}
