import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const files = join(import.meta.dirname, 'files')
const STORY = /what the operator did last[^]*?the end of what the operator did/g

/** Runs a test file that fails by design, and gives what is printed. */
async function run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  // A runner of its own: this one's settings are not its.
  const { NODE_TEST_CONTEXT: _, VITEST: __, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=source', ...args], {
    cwd: files,
    env: { ...env, NO_COLOR: '1', CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>((done) => child.on('close', (code) => done(code ?? -1)))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, output: `${out}\n${err}` }
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs')

test('vitest prints what the operator did last for tests that fail, and for no others', async () => {
  const { code, output } = await run([vitest, 'run', '--config', 'vitest.config.ts'])
  expect(code, output).toBe(1)
  const stories = output.match(STORY) ?? []
  expect(stories, output).toHaveLength(2)
  const [first = '', hooked = ''] = stories
  expect(first).toMatch(/12:00:00\.000 INFO  copied controller=copier namespace=default name=good/)
  expect(first).toMatch(/PATCH \/api\/v1\/namespaces\/default\/secrets\/good \(201\) controller=copier/)
  expect(first).toMatch(/successfully reconciled .*causes="ConfigMap default\/good was created"/)
  expect(first).toMatch(/ERROR reconcile failed .*name=broken[^]*the copier jams/)
  expect(hooked).toContain('name=hooked')
  expect(output).not.toContain('of-the-test-that-passes')
  expect(output).toMatch(/INFO  copied controller=copier namespace=default name=all-logs/)
})

test('node:test prints it as well', async () => {
  const { code, output } = await run(['--test', 'node-file.ts'])
  expect(code, output).toBe(1)
  const stories = output.match(STORY) ?? []
  expect(stories, output).toHaveLength(1)
  expect(stories[0]).toContain('name=good')
  expect(output).not.toContain('of-the-test-that-passes')
})
