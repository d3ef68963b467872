import { expect, test } from 'vitest'
import { check, textReport } from '../src/index.ts'
import { plantedBugs } from './planted-bugs.ts'
import { widgetOperator } from './widget.ts'

test.for(plantedBugs)('$class: finds an operator that $title', async ({ class: found, wrong }) => {
  const report = await check(widgetOperator(wrong()))
  expect(
    report.findings.map((finding) => finding.class),
    textReport(report),
  ).toContain(found)
})

test.for(plantedBugs)('$class: finds nothing where it only looks so: $title', async ({ right }) => {
  const report = await check(widgetOperator(right()))
  expect(textReport(report)).toMatch(/^no finding in \d+ runs of Widget default\/w\n$/)
})
