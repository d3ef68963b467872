import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The cases as they stand in the repository: settings that many share, and what was found of each. */
interface Recorded {
  readonly settings: readonly object[]
  readonly cases: readonly { readonly expr: string; readonly in?: number }[]
}

const FOUND = ['issues', 'type', 'max', 'cost', 'value', 'error'] as const

/** Asks the CEL libraries of a Kubernetes version again about every expression in a file. */
export function recordKubernetes(file: string, version: string): number {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  const folder = mkdtempSync(join(tmpdir(), 'record-cel-'))
  try {
    const input = recorded.cases
      .map(({ expr, in: index }) =>
        JSON.stringify({ ...(index === undefined ? {} : recorded.settings[index]), expr }),
      )
      .join('\n')
    const lines = execFileSync(build(folder, version), { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
    const found = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const cases = recorded.cases.map(({ expr, in: index }, place) => ({
      expr,
      ...(index !== undefined && { in: index }),
      ...Object.fromEntries(FOUND.flatMap((field) => kept(field, found[place]![field]))),
    }))
    const list = (parts: readonly object[]): string => parts.map((part) => JSON.stringify(part)).join(',\n')
    writeFileSync(file, `{"settings":[\n${list(recorded.settings)}\n],"cases":[\n${list(cases)}\n]}\n`)
    return cases.length
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Values are kept where their text is the same everywhere: of single ones. */
function kept(field: string, value: unknown): [string, unknown][] {
  if (value === undefined || value === '' || value === null) return []
  if (field === 'value' && !/^(bool|int|uint|string|double): /.test(value as string)) return []
  return [[field, value]]
}

function build(folder: string, version: string): string {
  const modules = ['apiextensions-apiserver', 'apimachinery', 'apiserver']
  const require = modules.map((name) => `\tk8s.io/${name} ${version}`).join('\n')
  writeFileSync(join(folder, 'go.mod'), `module record-cel\n\ngo 1.26\n\nrequire (\n${require}\n)\n`)
  copyFileSync(new URL('main.go', import.meta.url), join(folder, 'main.go'))
  const go = (...args: string[]): void =>
    void execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  go('mod', 'tidy')
  go('build', '-o', 'record-cel', '.')
  return join(folder, 'record-cel')
}
