import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-npx-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A project in which the package is installed, as far as npx looks. */
function install(name: 'cluster' | 'apiserver'): void {
  const bin = join(folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  mkdirSync(join(folder, 'node_modules/@homeostat'))
  symlinkSync(join(root, 'packages', name), join(folder, 'node_modules/@homeostat', name))
  symlinkSync(`../@homeostat/${name}/bin/homeostat-${name}.mjs`, join(bin, `homeostat-${name}`))
  // Every Node that npm starts tells its pid.
  writeFileSync(join(folder, 'pid.mjs'), 'process.stdout.write(`pid ${process.pid}\\n`)\n')
}

function start(command: string, args: readonly string[], cwd: string) {
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    NODE_OPTIONS: `--import=${join(folder, 'pid.mjs')}`,
  }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return { child, ...followOutput(child, command) }
}

/** Resolves when there is no such process any more. */
async function gone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The process that serves, of all that told their pids. */
function serverOf(output: string): number {
  const pids = [...output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid))
  return pids.find((pid) => commandOf(pid).includes('homeostat-')) ?? -1
}

/** The command line of a process; empty for npm and for the script that prepares the workspace. */
function commandOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return text.startsWith('npm') || text.includes('setup.mjs') ? '' : text
  } catch {
    return ''
  }
}

describe.skipIf(process.platform !== 'linux')('a server that npm has started', { timeout: 240_000 }, () => {
  it.each([
    ['cluster', 'SIGTERM'],
    ['cluster', 'SIGKILL'],
    ['apiserver', 'SIGTERM'],
  ] as const)('ends with npx homeostat-%s on %s', async (name, signal) => {
    install(name)
    const port = name === 'cluster' ? '--port=0' : '--secure-port=0'
    const run = start('npx', ['--no', '--', `homeostat-${name}`, port, '--kubeconfig=kc'], folder)
    const [output] = await run.printed(/[^]*KUBECONFIG/)
    const server = serverOf(output)
    expect(isAlive(server)).toBe(true)
    run.child.kill(signal)
    await gone(server)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends with npm run cluster on %s', async (signal) => {
    install('cluster')
    const kubeconfig = `--kubeconfig=${join(folder, 'kc')}`
    const run = start('npm', ['run', 'cluster', '--', '--port=0', kubeconfig], root)
    const [output] = await run.printed(/[^]*KUBECONFIG/)
    const server = serverOf(output)
    expect(isAlive(server)).toBe(true)
    run.child.kill(signal)
    await gone(server)
  })
})
