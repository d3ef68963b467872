import { execFileSync, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProcessGuard } from '../separation/index.ts'
import { runProcess } from './process-run.ts'
import type { Run } from './run.ts'
import { isRunning } from '../../../test/process-facts.ts'

/** Makes a pipe with a name. */
const MAKE_PIPE = '/usr/bin/mkfifo'

let folder: string
let guard: ProcessGuard
let output: string
let written: (() => void) | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-process-'))
  guard = new ProcessGuard(folder)
  output = ''
})
afterEach(async () => {
  await guard.close()
  await rm(folder, { recursive: true })
})

function run(argv: [string, ...string[]], env: Record<string, string> = {}): Run {
  const writer = {
    write(text: string | Uint8Array) {
      output += text.toString()
      written?.()
    },
  }
  return runProcess({ argv, env, folder, stdout: writer, stderr: writer, clock: new SystemClock(), guard })
}

async function outputMatching(pattern: RegExp): Promise<string> {
  while (!pattern.test(output)) await new Promise<void>((resolve) => (written = resolve))
  return pattern.exec(output)?.[1] ?? ''
}

describe('a container as a process', () => {
  it('writes its output and ends with its exit code', async () => {
    expect(await run(['sh', '-c', 'echo out; echo err >&2; exit 3']).exited).toEqual({
      exitCode: 3,
      reason: 'Error',
    })
    expect(output).toBe('out\nerr\n')
    expect(await run(['sh', '-c', 'true']).exited).toEqual({ exitCode: 0, reason: 'Completed' })
  })

  it('passes arguments on as they are, past every shell', async () => {
    await run(['echo', '$HOME; echo x', '`id`', '*']).exited
    expect(output).toBe('$HOME; echo x `id` *\n')
  })

  it('has the environment that it was given and the mark of its guard, and a folder of its own', async () => {
    await run(['sh', '-c', 'env | grep -Ev "^(_|PWD|OLDPWD|SHLVL)=" | sort; pwd -P'], { A: 'b' }).exited
    expect(output).toBe(`A=b\nHOMEOSTAT_NODE=${folder} ${process.pid}\n${folder}\n`)
  })

  it('does not let PATH change which program a name is', async () => {
    expect(await run(['true'], { PATH: folder }).exited).toMatchObject({ exitCode: 0 })
  })

  it('reports a program that does not exist as one that could not start', async () => {
    expect(await run(['no-such-program']).exited).toEqual({
      exitCode: 128,
      reason: 'StartError',
      message: 'exec: "no-such-program": executable file not found in $PATH',
    })
    expect(await run(['echo', 'a\0b']).exited).toMatchObject({ exitCode: 128, reason: 'StartError' })
  })

  it('ends by SIGTERM, or by SIGKILL where it ignores that', async () => {
    const polite = run(['sleep', '60'])
    polite.terminate()
    expect(await polite.exited).toEqual({ exitCode: 143, signal: 15, reason: 'Error' })

    const deaf = run(['sh', '-c', 'trap "" TERM; echo deaf; while :; do sleep 60; done'])
    await outputMatching(/deaf/)
    deaf.terminate()
    deaf.kill()
    expect(await deaf.exited).toEqual({ exitCode: 137, signal: 9, reason: 'Error' })
  })

  it('leaves nothing of its group behind when it ends', async () => {
    const forking = run(['sh', '-c', 'sleep 60 & echo child=$!; exit 0'])
    const child = Number(await outputMatching(/child=(\d+)/))
    expect(await forking.exited).toMatchObject({ exitCode: 0 })
    // It was killed; the system may need a moment to remove it.
    while (isRunning(child)) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('the guard of processes', () => {
  it('ends what still runs when it closes, and only that', async () => {
    const ended = run(['true'])
    await ended.exited
    const left = run(['sleep', '60'])
    await guard.close()
    expect(await left.exited).toMatchObject({ signal: 9 })
  })

  it('ends the processes of a parent that is killed', async () => {
    // Every process of the group has this pipe open: it ends when the last of them does.
    const pipe = join(folder, 'pipe')
    execFileSync(MAKE_PIPE, [pipe])
    const lastOneGone = new Promise((resolve) => {
      createReadStream(pipe)
        .on('close', () => resolve('gone'))
        .resume()
    })
    const program = `
      import { ProcessGuard } from ${JSON.stringify(new URL('../separation/process-guard.ts', import.meta.url).pathname)}
      import { runProcess } from ${JSON.stringify(new URL('process-run.ts', import.meta.url).pathname)}
      import { SystemClock } from '@homeostat/api'
      const write = (data) => process.stdout.write(data)
      runProcess({ argv: ['sh', '-c', 'exec 3>"$PIPE"; sleep 600 & echo pids=$$,$!.; wait'], env: { PIPE: ${JSON.stringify(pipe)} }, folder: '/', stdout: { write }, stderr: { write }, clock: new SystemClock(), guard: new ProcessGuard('/nowhere') })
    `
    const parent = spawn(
      process.execPath,
      ['--conditions=source', '--input-type=module-typescript', '-e', program],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: new URL('.', import.meta.url).pathname,
      },
    )
    parent.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      written?.()
    })
    const pids = (await outputMatching(/pids=([\d,]+)\./)).split(',').map(Number)
    expect(pids.map(isRunning)).toEqual([true, true])
    parent.kill('SIGKILL')
    expect(await lastOneGone).toBe('gone')
  })
})
