import type { Trial } from '../judgements/index.ts'
import { referenceTo, type Step, type Story } from '../stories/index.ts'
import { childrenOf, REST, SECOND, undisturbed, type Subject } from './trials.ts'

/** Everything that a user does, once, with the rights that the operator declares: children go, the spec changes, the sample goes. */
export function* rightsTrials({ sample, needs, mutations, outcome }: Subject): Generator<Trial> {
  const steps: Step[] = [
    ...childrenOf(outcome, sample).map((object): Step => ({ step: 'remove', object })),
    ...mutations.map((object): Step => ({ step: 'change', object, mayBeRefused: true })),
    { step: 'delete', object: referenceTo(sample) },
  ]
  const story: Story = [...undisturbed(sample, needs), ...steps.flatMap((step) => [step, SECOND]), REST]
  yield { class: 'right-not-declared', story, reference: [], expects: { type: 'allowed' } }
}
