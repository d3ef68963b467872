import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/homeostat.mjs')

let folder: string
beforeEach(() => {
  // Where the packages of the workspace are found; ignored by git.
  mkdirSync(join(root, '.homeostat'), { recursive: true })
  folder = mkdtempSync(join(root, '.homeostat', 'interrupts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The exit code as a shell shows it: 130 where Ctrl-C ended the process. */
const INTERRUPTED = 130

function start(args: readonly string[]) {
  const child = spawn(process.execPath, ['--conditions=source', ...args], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((done) => {
    child.once('close', (code, signal) => done(signal === 'SIGINT' ? INTERRUPTED : code))
  })
  return { child, ...followOutput(child, 'homeostat'), exited }
}

describe.skipIf(process.platform === 'win32')('Ctrl-C', () => {
  it.each([
    ['manifests'],
    ['manifests', '--helm'],
    ['run'],
    ['check'],
    ['graph'],
    ['doctor'],
    ['compat', 'operator.ts', 'operator.ts'],
  ])('while operator.ts is loaded ends homeostat %s, and nothing is written', async (...args) => {
    const loading = `process.stdout.write('loading\\n')\nawait new Promise((done) => setTimeout(done, 600_000))\nexport default 1\n`
    writeFileSync(join(folder, 'operator.ts'), loading)
    const command = start([program, ...args])
    await command.printed(/loading/)
    command.child.kill('SIGINT')
    expect(await command.exited).toBe(INTERRUPTED)
    expect(readdirSync(folder)).toEqual(['operator.ts'])
  })

  it('while files are written lets all of them be written', async () => {
    const files = resolve(root, 'packages/cli/src/manifests/index.ts')
    const script = `import { writeFiles } from ${JSON.stringify(files)}
      writeFiles('out', { get 'a.yaml'() { process.kill(process.pid, 'SIGINT'); return 'a' }, 'b/c.yaml': 'c' })`
    writeFileSync(join(folder, 'write.ts'), script)
    expect(await start([join(folder, 'write.ts')]).exited).toBe(0)
    expect(readFileSync(join(folder, 'out/a.yaml'), 'utf8')).toBe('a')
    expect(readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      'a.yaml',
      'b',
      'b/c.yaml',
    ])
  })
})
