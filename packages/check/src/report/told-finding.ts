import { CLASSES, type Finding, type FindingClass } from '../judgements/index.ts'
import { describeStory } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import { GUIDE_PAGE } from './text-report.ts'

/** A finding in words, for a program that shows it to a person. */
export interface ToldFinding {
  readonly class: FindingClass
  /** The meaning of the class. */
  readonly title: string
  /** The fault, in one sentence. */
  readonly summary: string
  readonly details?: string | undefined
  /** The steps of the story whose final state this story should have reached. */
  readonly reference?: readonly string[] | undefined
  readonly differences: readonly Difference[]
  readonly line?: string | undefined
  readonly remedy: string
  /** The address of the page that explains the class. */
  readonly page: string
}

/** The text of a finding besides the steps of its story. */
export function toldFinding(finding: Finding): ToldFinding {
  const { class: found, summary, details, story, reference, differences, line } = finding
  const { title, remedy } = CLASSES[found]
  return {
    class: found,
    title,
    summary,
    details,
    reference: reference && describeStory(reference, story),
    differences,
    line,
    remedy,
    page: `${GUIDE_PAGE}#${found}`,
  }
}
