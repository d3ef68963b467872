/** `npm run guide`: copies the code that the guide shows into its pages. With `--check` it only says what is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { GUIDE_FOLDER, guidePages, withCode } from './guide/pages.ts'

const check = process.argv.includes('--check')
let stale = 0
for (const page of guidePages()) {
  const before = readFileSync(page, 'utf8')
  const after = withCode(before, (file) => readFileSync(join(GUIDE_FOLDER, file), 'utf8'))
  if (before === after) continue
  stale++
  console.log(`${check ? 'out of date' : 'written'}: ${relative(process.cwd(), page)}`)
  if (!check) writeFileSync(page, after)
}
if (check && stale > 0) {
  console.error('Run "npm run guide".')
  process.exitCode = 1
}
