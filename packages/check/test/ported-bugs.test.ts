import { expect, test } from 'vitest'
import { check, textReport } from '../src/index.ts'
import { portedBugs } from './ported-bugs.ts'
import { clusterOperator } from './ported-cluster.ts'

test.for(portedBugs)('finds $source: $title', async ({ classes, options, wrong }) => {
  const report = await check(clusterOperator(wrong), { ...options, only: classes })
  const found = report.findings.map((finding) => finding.class)
  expect(
    found.some((one) => classes.includes(one)),
    textReport(report),
  ).toBe(true)
})

test.for(portedBugs)('finds nothing in what is right instead of $source', async ({ options, right }) => {
  const report = await check(clusterOperator(right), options)
  expect(report.findings, textReport(report)).toEqual([])
})
