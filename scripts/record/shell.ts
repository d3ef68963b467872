import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { makeSnippetFolder } from '../../packages/shell/test/snippet-folder.ts'
import { snippets } from '../../packages/shell/test/snippets.ts'

const PROGRAM = 'busybox'

/** Asks busybox what it makes of the scripts in snippets.ts, and writes its answers down. */
export function recordShell(): void {
  const answers: Record<string, { script: string; stdout: string; stderr: string; code: number | null }[]> =
    {}
  const temporary = mkdtempSync(join(tmpdir(), 'homeostat-shell-'))
  const bin = join(temporary, 'bin')
  mkdirSync(bin)
  execFileSync(PROGRAM, ['--install', '-s', bin])
  for (const [subject, scripts] of Object.entries(snippets)) {
    answers[subject] = scripts.map((script, index) => {
      const folder = join(temporary, subject, String(index))
      makeSnippetFolder(folder)
      const { stdout, stderr, status } = spawnSync(join(bin, 'sh'), ['-c', script], {
        cwd: folder,
        env: { PATH: bin, HOME: '/root', TZ: 'UTC' },
        input: '',
        argv0: 'sh',
        timeout: 10_000,
      })
      return { script, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1'), code: status }
    })
  }
  rmSync(temporary, { recursive: true })
  const file = resolve(import.meta.dirname, '../../packages/shell/test/recorded/busybox.json')
  writeFileSync(file, `${JSON.stringify(answers, null, 1)}\n`)
  console.log(`${Object.values(answers).flat().length} answers in ${file}`)
}
