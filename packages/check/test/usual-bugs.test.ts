import { expect, test } from 'vitest'
import { check, textReport } from '../src/index.ts'
import { usualBugs } from './usual-bugs.ts'
import { widgetOperator } from './widget.ts'

test.for(usualBugs)('$title', async ({ classes, wrong }) => {
  const report = await check(widgetOperator(wrong()))
  const found = report.findings.map((finding) => finding.class)
  expect(
    found.some((one) => classes.includes(one)),
    textReport(report),
  ).toBe(true)
})
