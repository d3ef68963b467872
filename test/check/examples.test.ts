import { check, textReport } from '@homeostat/check'
import { expect, test } from 'vitest'
import at, { check as atDeclarations } from '../../examples/at/operator.ts'
import mariadb from '../../examples/mariadb/operator.ts'
import markdownView from '../../examples/markdownview/operator.ts'
import tenant from '../../examples/tenant/operator.ts'
import vcap from '../../examples/vcap/operator.ts'
import visitors from '../../examples/visitors/operator.ts'

test.for([
  ['at', at, atDeclarations],
  ['mariadb', mariadb, {}],
  ['markdownview', markdownView, {}],
  ['tenant', tenant, {}],
  ['vcap', vcap, {}],
  ['visitors', visitors, {}],
] as const)(
  'the check finds nothing in the example %s',
  { timeout: 300_000 },
  async ([, operator, declarations]) => {
    const report = await check(operator, declarations)
    expect(report.runs).toBeGreaterThan(100)
    expect(textReport(report)).toMatch(/^(declared as intended: .*\n)*no finding in \d+ runs of \w+ \S+\n$/)
  },
)
