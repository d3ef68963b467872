import type { Finding } from '../judgements/index.ts'
import type { CheckReport } from './check-report.ts'

/** The timeout of a written test, in milliseconds: it usually takes under a second, but much longer on a busy machine. */
const TIMEOUT = 60_000

/**
 * A test file for Vitest, with a test for each finding and its story. It fails until the operator is fixed. `operator`
 * is how the file imports the operator: `./operator.ts`.
 */
export function testFile({ findings }: CheckReport, operator: string): string {
  const tests = findings.filter(({ expects }) => expects !== undefined).map(testOf)
  return [
    "import { tryStory } from '@homeostat/check'",
    "import { expect, test } from 'vitest'",
    `import operator from ${JSON.stringify(operator)}`,
    ...tests,
    '',
  ].join('\n')
}

function testOf({ class: found, summary, story, reference = [], expects }: Finding): string {
  const text = JSON.stringify({ class: found, story, reference, expects }, undefined, 2)
  const indented = text.replaceAll('\n', '\n  ')
  return `\ntest(${JSON.stringify(`${found}: ${summary}`)}, async () => {\n  const wrong = await tryStory(operator, ${indented})\n  expect(wrong, wrong).toBeUndefined()\n}, ${TIMEOUT})`
}
