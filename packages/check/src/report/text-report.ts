import { CLASSES, type Finding } from '../judgements/index.ts'
import { describeStory, type Story } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import type { CheckReport } from './check-report.ts'

/** How many differences of one finding are shown. */
const MOST_DIFFERENCES = 6

/** The page that explains the classes, with a section for each. */
export const GUIDE_PAGE = 'https://github.com/homeostat/homeostat/blob/main/docs/guide/18-check.md'

/** One finding as a person reads it. */
export function findingText(finding: Finding, seed = 1): string {
  return describe(finding, seed).join('\n')
}

/** The report as a person reads it in a terminal. */
export function textReport({ findings, runs, samples, intents, ended, seed }: CheckReport): string {
  const lines = findings.flatMap((finding, index) => [...describe(finding, seed, `${index + 1}. `), ''])
  for (const { kind, reason } of intents) lines.push(`declared as intended: ${kind}: ${reason}`)
  const played = `${runs} runs${samples.length > 0 ? ` of ${samples.join(', ')}` : ''}`
  if (findings.length > 0) lines.push(`${findings.length} ${plural(findings.length)} in ${played}`)
  else lines.push(`no finding in ${played}`)
  if (ended) lines.push('the check was ended early: not everything was tried')
  return `${lines.join('\n')}\n`
}

function plural(count: number): string {
  return count === 1 ? 'finding' : 'findings'
}

function describe(finding: Finding, seed: number, number = ''): string[] {
  const { title, remedy } = CLASSES[finding.class]
  const { story, reference } = finding
  return [
    `${number}${title} (${finding.class})`,
    `   ${finding.summary}`,
    ...(finding.details === undefined ? [] : finding.details.split('\n').map((line) => `   ${line}`)),
    '',
    `   The story${finding.others ? ` (${finding.others} more show the same)` : ''}:`,
    ...describeStory(story, reference).map((step, index) => `   ${String(index + 1).padStart(2)}. ${step}`),
    ...(reference === undefined ? [] : ['', ...describeReference(reference, story)]),
    ...differencesOf(finding),
    ...(finding.line === undefined ? [] : ['', `   At ${finding.line}`]),
    '',
    `   ${remedy}`,
    `   ${GUIDE_PAGE}#${finding.class}`,
    ...(finding.run === undefined
      ? []
      : [`   Play it again: homeostat check --replay=${finding.run}${seed === 1 ? '' : ` --seed=${seed}`}`]),
  ]
}

function describeReference(reference: Story, story: Story): string[] {
  const steps = describeStory(reference, story)
  if (steps.length === 0) return ['   It should end as it began.']
  return ['   It should end as this does:', ...steps.map((step) => `     - ${step}`)]
}

function differencesOf({ differences }: Finding): string[] {
  if (differences.length === 0) return []
  const shown = differences.slice(0, MOST_DIFFERENCES).flatMap(lines)
  const more = differences.length - MOST_DIFFERENCES
  return [
    '',
    '   The difference (- expected, + found):',
    ...shown,
    ...(more > 0 ? [`     … and ${more} more`] : []),
  ]
}

function lines({ object, path, expected, found }: Difference): string[] {
  return [
    `     ${object}${path === '' ? '' : ` ${path}`}`,
    ...(expected === undefined ? [] : [`       - ${shortJson(expected)}`]),
    ...(found === undefined ? [] : [`       + ${shortJson(found)}`]),
  ]
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}…` : text
}
