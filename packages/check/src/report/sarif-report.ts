import { CLASSES, type Finding } from '../judgements/index.ts'
import type { CheckReport } from './check-report.ts'
import { findingText, GUIDE_PAGE } from './text-report.ts'

/**
 * The report as SARIF 2.1.0, which code hosts show beside the lines of a change. Paths are relative to the folder
 * `root`. A finding without a line of code gets the file `fallback`.
 */
export function sarifReport(report: CheckReport, { root, fallback }: SarifPlaces): string {
  const names = [...new Set(report.findings.map((finding) => finding.class))].toSorted()
  const rules = names.map((id) => ({
    id,
    shortDescription: { text: CLASSES[id].title },
    help: { text: CLASSES[id].remedy },
    helpUri: `${GUIDE_PAGE}#${id}`,
  }))
  const results = report.findings.map((finding) => ({
    ruleId: finding.class,
    ruleIndex: names.indexOf(finding.class),
    level: 'error',
    message: { text: findingText(finding, report.seed) },
    locations: [{ physicalLocation: placeOf(finding, root, fallback) }],
    partialFingerprints: { root: finding.root },
  }))
  const driver = { name: 'homeostat check', informationUri: GUIDE_PAGE, rules }
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  }
  return `${JSON.stringify(sarif, undefined, 2)}\n`
}

export interface SarifPlaces {
  /** An absolute path. */
  readonly root: string
  /** An absolute path. */
  readonly fallback: string
}

function placeOf({ line }: Finding, root: string, fallback: string): object {
  const [, file = fallback, at, column] = /^(.*):(\d+):(\d+)$/.exec(line ?? '') ?? []
  const uri = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file
  const region = at === undefined ? { startLine: 1 } : { startLine: Number(at), startColumn: Number(column) }
  return { artifactLocation: { uri: encodeURI(uri) }, region }
}
