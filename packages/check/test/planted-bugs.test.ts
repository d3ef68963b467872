import { expect, test } from 'vitest'
import { check, textReport } from '../src/index.ts'
import { plantedBugs as faults } from './planted-bugs.ts'
import { plantedOverlaps } from './planted-overlaps.ts'
import { widgetOperator } from './widget.ts'

const plantedBugs = [...faults, ...plantedOverlaps]

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
