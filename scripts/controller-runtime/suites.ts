import { chmodSync, cpSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { goModule } from '../kubernetes/go-module.ts'

/** The module that our runtime is compared with. */
export const CONTROLLER_RUNTIME = 'sigs.k8s.io/controller-runtime@v0.25.2'

/** Copies controller-runtime out of Go's cache, whose files are read-only: some suites write beside their code. */
export function copyModule(folder: string): void {
  cpSync(goModule(CONTROLLER_RUNTIME), folder, { recursive: true })
  for (const entry of globSync('**', { cwd: folder, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
}

/** The packages whose tests start an environment of envtest. */
export function suitesOf(folder: string): string[] {
  const tests = globSync('pkg/**/*_test.go', { cwd: folder })
  const packages = tests
    .filter((file) => /envtest\.Environment\{|&Environment\{/.test(readFileSync(join(folder, file), 'utf8')))
    .map((file) => relative(folder, join(folder, dirname(file))))
  return [...new Set(packages)].sort()
}
