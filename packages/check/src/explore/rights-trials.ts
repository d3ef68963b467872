import type { Trial } from '../judgements/index.ts'
import { referenceTo, type Step, type Story } from '../stories/index.ts'
import { childrenOf, REST, SECOND, undisturbed, type Subject } from './trials.ts'

/**
 * Each thing that a user does, once, with the rights that the operator declares: children are deleted, the spec is
 * changed, the sample is deleted.
 */
export function* rightsTrials({ sample, needs, mutations, outcome }: Subject): Generator<Trial> {
  const steps: Step[] = [
    ...childrenOf(outcome, sample).map((object): Step => ({ step: 'remove', object })),
    ...mutations.map((object): Step => ({ step: 'change', object, mayBeRefused: true })),
    { step: 'delete', object: referenceTo(sample) },
  ]
  const story: Story = [...undisturbed(sample, needs), ...steps.flatMap((step) => [step, SECOND]), REST]
  yield { class: 'right-not-declared', story, reference: [], expects: { type: 'allowed' } }
}
