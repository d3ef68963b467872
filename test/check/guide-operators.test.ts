import { readdirSync } from 'node:fs'
import { check, textReport, type CheckOptions, type FindingClass } from '@homeostat/check'
import { operator, sample, type Operator } from 'homeostat'
import { expect, test } from 'vitest'
import { greeting } from '../../docs/guide/code/greeting-controller.ts'
import { Greeting } from '../../docs/guide/code/greeting.ts'
import first from '../../docs/guide/first/operator.ts'

const EXAMPLES = new URL('../../docs/playground/examples/', import.meta.url)

/** The options that the author of a chapter's operator would declare. */
const OPTIONS: Readonly<Record<string, CheckOptions>> = {
  '8-time-and-tests': {
    final: [{ kind: 'Reminder', path: 'status.told', value: true, reason: 'a reminder is told once' }],
  },
}

/** Operators that are wrong on purpose, and what the check says of them. */
const WRONG: Readonly<Record<string, readonly FindingClass[]>> = {
  // It shows what errors lead to: two of its samples fail, and one that was printed says so when it fails later.
  '2-results': ['always-fails', 'always-fails', 'history'],
  // One of its samples fails, so that the page has an error to show; what it made before the error stays.
  '9-debugging': ['always-fails', 'history'],
  // The reader is asked to find its fault.
  '18-check': ['not-healed'],
}

const hello = sample(Greeting, { metadata: { namespace: 'default', name: 'hello' }, spec: { name: 'world' } })

test.for<readonly [string, () => Operator | Promise<Operator>]>([
  ['first', () => first],
  ['code', () => operator('greeting', { controllers: [greeting], samples: [hello] })],
  ...readdirSync(EXAMPLES).map(
    (name) =>
      [name, async () => (await import(new URL(`${name}/operator.ts`, EXAMPLES).href)).default] as const,
  ),
])('the check judges rightly the guide’s operator %s', { timeout: 300_000 }, async ([name, load]) => {
  const report = await check(await load(), OPTIONS[name])
  expect(report.runs).toBeGreaterThan(20)
  const classes = report.findings.map((finding) => finding.class)
  expect(classes, textReport(report)).toEqual(WRONG[name] ?? [])
})
