import { spawnSync } from 'node:child_process'
import { basename, join, resolve } from 'node:path'
import type { Diagnostic } from './type-case.ts'

const root = resolve(import.meta.dirname, '../..')

/** Compiles a project without writing anything, and returns all that the compiler says. */
export function compile(project: string): Diagnostic[] {
  const { stdout, stderr, error } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    ['-p', project, '--noEmit', '--pretty', 'false'],
    { encoding: 'utf8', cwd: root, maxBuffer: 64 * 1024 * 1024 },
  )
  if (error) throw error
  const diagnostics: { file: string; line: number; message: string[] }[] = []
  for (const line of stdout.split('\n')) {
    const start = /^(?<path>\S.*)\((?<line>\d+),\d+\): error TS\d+: (?<message>.*)$/.exec(line)?.groups
    if (start) {
      const { path = '', message = '' } = start
      diagnostics.push({ file: basename(path), line: Number(start['line']), message: [message] })
    } else if (/^\s+\S/.test(line)) {
      diagnostics.at(-1)?.message.push(line.trim())
    } else if (line.trim() !== '') {
      throw new Error(`tsc: ${line}${stderr}`)
    }
  }
  return diagnostics
}
