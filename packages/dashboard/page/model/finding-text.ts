import type { ShownFinding, StepInWords } from '../../src/recording/story.ts'
import type { ToldFact, ToldStep } from '../../src/recording/told.ts'
import { FINDING_TEXTS, type FindingMessages } from '../language/findings/index.ts'

/** What the name of an external system begins with, where objects are named. */
const EXTERNAL = 'external '

/** The parts of a finding that are the same in all of its findings. */
interface ClassWords {
  readonly title: string
  readonly remedy: string
}

/** What the class of a finding means, and the usual remedy, in a language. A class that the page does not know keeps its own words. */
export function classWords(finding: ShownFinding, tag: string): ClassWords {
  return FINDING_TEXTS[tag]?.classes[finding.class] ?? finding
}

/** What is wrong, in a language. What the page does not know keeps its own words. */
export function summaryText({ fact, summary }: ShownFinding, tag: string): string {
  const messages = FINDING_TEXTS[tag]
  if (!messages || !fact) return summary
  const named = 'object' in fact ? { ...fact, object: objectText(fact.object, tag) } : fact
  return factText(named, messages) ?? summary
}

/** A step of a story, in a language. What the page does not know keeps its own words. */
export function stepText({ told, text }: StepInWords, tag: string): string {
  const messages = FINDING_TEXTS[tag]
  return (messages && told && toldText(told, messages)) ?? text
}

/** The name of an object in a finding, in a language. */
export function objectText(object: string, tag: string): string {
  const messages = FINDING_TEXTS[tag]
  return messages && object.startsWith(EXTERNAL) ? messages.external(object.slice(EXTERNAL.length)) : object
}

/** The address of the page of the guide about a class of findings, in a language that has one. */
export function guideAddress(page: string, tag: string): string {
  return FINDING_TEXTS[tag] ? page.replace('/docs/guide/', `/docs/guide/${tag}/`) : page
}

/** The facts and steps of later versions have no text here. */
function factText(fact: ToldFact, { facts }: FindingMessages): string | undefined {
  const text = facts[fact.fact] as ((fact: ToldFact) => string) | undefined
  return text?.(fact)
}

function toldText(step: ToldStep, messages: FindingMessages): string | undefined {
  type Text = (step: ToldStep, tell: (step: ToldStep) => string) => string
  const text = messages.steps[step.step] as Text | undefined
  return text?.(step, (inner) => toldText(inner, messages) ?? '')
}
