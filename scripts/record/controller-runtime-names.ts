import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTROLLER_RUNTIME } from '../controller-runtime/suites.ts'
import { goModule } from '../kubernetes/go-module.ts'

const TARGET = 'test/guide/recorded/controller-runtime-names.json'

/** Writes down every name that controller-runtime exports, by package. */
export function recordControllerRuntimeNames(): void {
  const program = join(import.meta.dirname, 'controller-runtime-names/main.go')
  const printed = execFileSync('go', ['run', program, goModule(CONTROLLER_RUNTIME)], { encoding: 'utf8' })
  const names = JSON.parse(printed) as Record<string, string[]>
  writeFileSync(TARGET, `${JSON.stringify(names, undefined, 1)}\n`)
  console.log(`${Object.values(names).flat().length} names in ${Object.keys(names).length} packages`)
}
