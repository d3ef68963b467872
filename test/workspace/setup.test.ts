import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

it('an old Node is told which one is needed, and nothing is installed', async () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`
  const preload = `data:text/javascript,${encodeURIComponent(old)}`
  const failed = await run(process.execPath, ['--import', preload, 'scripts/setup.mjs']).then(
    () => undefined,
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  expect(failed?.code).toBe(1)
  expect(failed?.stderr).toContain('needs Node 20 or newer to set itself up; this is Node 18.20.4')
  expect(failed?.stdout).toBe('')
})
