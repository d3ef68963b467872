import { check, textReport } from '@homeostat/check'
import { expect, test } from 'vitest'
import mariadb from '../../examples/mariadb/operator.ts'
import markdownView from '../../examples/markdownview/operator.ts'
import tenant from '../../examples/tenant/operator.ts'

test.for([
  ['mariadb', mariadb],
  ['markdownview', markdownView],
  ['tenant', tenant],
] as const)('the check finds nothing in the example %s', async ([, operator]) => {
  const report = await check(operator)
  expect(report.runs).toBeGreaterThan(100)
  expect(textReport(report)).toMatch(/^no finding in \d+ runs of \w+ \S+\n$/)
})
