import { CLASSES, type FindingClass } from '../judgements/index.ts'
import type { CheckReport } from './check-report.ts'
import { findingText } from './text-report.ts'

/** The report as JUnit XML: one test case for each class. It fails if the class has findings. */
export function junitReport(report: CheckReport): string {
  const classes = Object.keys(CLASSES) as FindingClass[]
  const cases = classes.flatMap((name) => {
    const found = report.findings.filter((finding) => finding.class === name)
    const failures = found.map(
      (finding) =>
        `      <failure message="${escaped(finding.summary)}" type="${name}">${escaped(findingText(finding, report.seed))}</failure>\n`,
    )
    const head = `    <testcase classname="homeostat check" name="${escaped(CLASSES[name].title)} (${name})"`
    return failures.length === 0 ? [`${head}/>\n`] : [`${head}>\n`, ...failures, '    </testcase>\n']
  })
  const failed = new Set(report.findings.map((finding) => finding.class)).size
  const counts = `tests="${classes.length}" failures="${failed}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="homeostat check: ${escaped(report.samples.join(', '))}" ${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`
}

/** Text inside XML, without control characters, which XML cannot contain. */
function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, (character) => (/\s/.test(character) ? character : '\uFFFD'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
}
