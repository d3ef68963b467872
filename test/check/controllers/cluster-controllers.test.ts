import { check, textReport } from '@homeostat/check'
import { expect, test } from 'vitest'
import { clusterControllers, CONTROLLER_OPTIONS, unknownFindings } from './cluster-controllers.ts'

/** A few of each; `npm run bench check -- --controllers` makes all. */
const TRIALS = 24

test.for(clusterControllers)(
  'the check finds nothing in the controller of $name that Kubernetes does not do as well',
  { timeout: 300_000 },
  async (checked) => {
    const report = await check(checked.source, { ...CONTROLLER_OPTIONS, trials: TRIALS })
    expect(report.runs).toBeGreaterThan(TRIALS)
    const findings = unknownFindings(checked, report)
    expect(findings.length === 0 ? '' : textReport({ ...report, findings })).toBe('')
  },
)
