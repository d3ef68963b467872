import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterAll, describe, expect, it } from 'vitest'
import { makeSnippetFolder } from './snippet-folder.ts'
import { runIn } from './run-in.ts'

interface Answer {
  readonly script: string
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

const file = new URL('./recorded/busybox.json', import.meta.url)
const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Answer[]>
const temporary = mkdtempSync(join(tmpdir(), 'homeostat-shell-'))

afterAll(() => rmSync(temporary, { recursive: true }))

describe.each(Object.entries(answers))('%s read as busybox reads them', (subject, cases) => {
  it.each(cases.map((answer, index) => ({ ...answer, index })))(
    '$script',
    async ({ script, stdout, code, index }) => {
      const folder = join(temporary, subject, String(index))
      makeSnippetFolder(join(folder, 'work'))
      const clock = new SimulatedClock({ start: '2026-01-01T12:00:00Z' })
      const run = runIn(folder, ['sh', '-c', script], {
        clock,
        env: { HOME: '/root' },
        workingDirectory: '/work',
      })
      await clock.advance('1m')
      const result = await run
      expect({ stdout: result.stdout, code: result.code }, result.stderr).toEqual({ stdout, code })
    },
  )
})
