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

test('finds casskop#370 among all classes, and for the reason of its report', async () => {
  const { wrong } = portedBugs.find(({ source }) => source.endsWith('casskop#370'))!
  const { findings } = await check(clusterOperator(wrong))
  expect(findings.find((finding) => finding.class === 'crash')).toMatchObject({
    summary: 'status.phase of the Cluster default/db is "Ongoing" instead of "Done"',
    line: expect.stringMatching(/^packages\/check\/test\/ported-bugs\.ts:\d+:\d+$/),
  })
})
