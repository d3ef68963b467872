import { CLASSES, type Fact, type Finding, type FindingClass } from '../judgements/index.ts'
import { storyInWords, type StepInWords } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import { GUIDE_PAGE } from './text-report.ts'

/** A finding in words, for a program that shows it to a person. What it says is also data, for other languages. */
export interface ToldFinding {
  readonly class: FindingClass
  /** The meaning of the class. */
  readonly title: string
  /** The fault, in one sentence. */
  readonly summary: string
  readonly fact: Fact
  readonly details?: string | undefined
  readonly steps: readonly StepInWords[]
  /** The steps of the story whose final state this story should have reached. */
  readonly shouldEndAs?: readonly StepInWords[] | undefined
  readonly differences: readonly Difference[]
  readonly line?: string | undefined
  readonly remedy: string
  /** The address of the page that explains the class. */
  readonly page: string
}

export function toldFinding(finding: Finding): ToldFinding {
  const { class: found, summary, fact, details, story, reference, differences, line } = finding
  const { title, remedy } = CLASSES[found]
  return {
    class: found,
    title,
    summary,
    fact,
    details,
    steps: storyInWords(story, reference),
    shouldEndAs: reference && storyInWords(reference, story),
    differences,
    line,
    remedy,
    page: `${GUIDE_PAGE}#${found}`,
  }
}
