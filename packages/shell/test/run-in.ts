import type { Clock } from '@homeostat/api'
import { FolderFiles, type Mount } from '../src/folder/index.ts'
import { runShell, type ShellRun } from '../src/index.ts'

/** The result of a run of the shell. */
export interface ShellResult {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** Runs a command of the shell in a folder, and collects its output, a character for each byte. */
export async function runIn(
  root: string,
  argv: readonly [string, ...string[]],
  options: Partial<ShellRun> & {
    readonly clock: Clock
    readonly mounts?: readonly Mount[] | undefined
    readonly input?: string | undefined
  },
): Promise<ShellResult> {
  const output = { stdout: '', stderr: '' }
  const writer = (name: 'stdout' | 'stderr'): ShellRun['stdout'] => ({
    write: (text) => void (output[name] += Buffer.from(text as Uint8Array).toString('latin1')),
  })
  const { mounts = [], input, ...rest } = options
  const code = await runShell({
    argv,
    env: {},
    workingDirectory: '/',
    files: new FolderFiles({ root, mounts }),
    stdin: input === undefined ? undefined : bytesOf(input),
    stdout: writer('stdout'),
    stderr: writer('stderr'),
    hostname: 'pod-1',
    connect: () => Promise.reject(new Error('there is no network here')),
    signal: new AbortController().signal,
    ...rest,
  })
  return { ...output, code }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
