import { check, textReport } from '@homeostat/check'
import {
  clusterControllers,
  CONTROLLER_OPTIONS,
  unknownFindings,
} from '../../test/check/controllers/cluster-controllers.ts'
import { markdownTable } from '../markdown-table.ts'

/** Checks the controllers of the cluster with all trials. Returns how many findings Kubernetes does not share. */
export async function printControllers(): Promise<number> {
  const rows: string[][] = []
  let unknown = 0
  const names = process.argv.slice(process.argv.indexOf('--controllers') + 1)
  for (const checked of clusterControllers.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const before = process.cpuUsage()
    const report = await check(checked.source, CONTROLLER_OPTIONS)
    const { user, system } = process.cpuUsage(before)
    const findings = unknownFindings(checked, report)
    unknown += findings.length
    const known = report.findings.length - findings.length
    const seconds = (user + system) / 1e6
    rows.push([checked.name, String(report.runs), String(known), String(findings.length), seconds.toFixed(1)])
    if (findings.length > 0) console.log(textReport({ ...report, findings }))
  }
  console.log(markdownTable(['controller', 'runs', 'as Kubernetes', 'others', 'CPU s'], rows).join('\n'))
  return unknown
}
