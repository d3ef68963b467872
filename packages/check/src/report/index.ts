/** The findings, as text for a person and as data for programs. SPEC.md has the rules. */
export type { CheckReport, Intent } from './check-report.ts'
export { junitReport } from './junit-report.ts'
export { sarifReport, type SarifPlaces } from './sarif-report.ts'
export { testFile } from './test-file.ts'
export { findingText, textReport } from './text-report.ts'
export { toldFinding, type ToldFinding } from './told-finding.ts'
