import type { Story } from '../stories/index.ts'
import { EXTERNAL, lineOf, type Difference, type Outcome } from '../world/index.ts'
import { says } from './fact.ts'
import type { Finding } from './finding.ts'
import { rootOf } from './root.ts'
import type { Trial } from './trial.ts'

/** The finding that the state differs from what it should be. */
export function differenceOf(trial: Trial, outcome: Outcome, differences: readonly Difference[]): Finding {
  const [first] = differences
  return {
    class: differences[0]?.object.startsWith(EXTERNAL) ? 'external' : trial.class,
    ...says({ fact: 'difference', ...first! }),
    story: trial.story,
    reference: trial.reference,
    differences,
    line: lineOfFault(trial.story, outcome),
    root: rootOf(trial, differences),
  }
}

/** The line of code that sent the request at which the story's fault happened. */
function lineOfFault(story: Story, { requests }: Outcome): string | undefined {
  const index = story.findIndex(({ step }) => step === 'crash' || step === 'fail')
  const fault = story[index]
  if (fault?.step !== 'crash' && fault?.step !== 'fail') return undefined
  const struck = requests.filter(({ step }) => step >= index)[fault.request - 1]
  return struck && lineOf(struck)
}
