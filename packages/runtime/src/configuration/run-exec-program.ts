import { milliseconds, type Clock, type Duration } from '@homeostat/api'
import type { ExecConfig } from './exec-config.ts'
import { execError, execInfo } from './exec-credential.ts'
import { nodeModules } from '../process/index.ts'

export interface RunExecOptions {
  clock: Clock
  /** Ends the program. */
  signal: AbortSignal
  /** How long it may take. Default: one minute, or ten where a user at the terminal may have to log in. */
  timeout?: Duration | undefined
  /** Whether there is a terminal to ask at. Default: whether standard input is one. */
  terminal?: boolean | undefined
}

const MOST_BYTES = 1 << 20

/**
 * Runs a credential program without a shell, and returns what it printed. Its standard error goes to this process's
 * own, for a user who has to log in. The program has ended when the promise settles.
 */
export function runExecProgram(config: ExecConfig, options: RunExecOptions): Promise<string> {
  const { clock, signal } = options
  const terminal = options.terminal ?? nodeModules.tty.isatty(0)
  if (config.interactiveMode === 'Always' && !terminal) {
    const remedy =
      'Run this process in a terminal, or use credentials that need no input, such as those of a ServiceAccount'
    return Promise.reject(
      execError(config, 'must ask a person for input, but standard input is not a terminal', remedy),
    )
  }
  const interactive = terminal && config.interactiveMode !== 'Never'
  const timeout = options.timeout ?? (interactive ? '10m' : '1m')
  return new Promise((resolve, reject) => {
    const child = nodeModules.childProcess.spawn(config.command, config.args, {
      env: { ...process.env, ...config.env, KUBERNETES_EXEC_INFO: execInfo(config, interactive) },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      windowsHide: true,
    })
    const work = clock.busy(`the credential program ${config.command}`)
    const end = (settle: () => void): void => {
      timer.cancel()
      signal.removeEventListener('abort', abort)
      work.end()
      settle()
    }
    /** Does not wait for the end of the output, because a child of the program may hold it open. */
    const kill = (error: unknown): void => {
      child.stdout.destroy()
      child.kill('SIGKILL')
      end(() => reject(error))
    }
    const abort = (): void => kill(signal.reason)
    const timer = clock.schedule(milliseconds(timeout), () => {
      const remedy = 'Run it by hand: it may wait for a login'
      kill(execError(config, `did not end within ${milliseconds(timeout) / 1000} s and was killed`, remedy))
    })
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()

    const chunks: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length > MOST_BYTES)
        kill(execError(config, 'printed more than 1 MiB', 'Check that it is the right program'))
    })
    child.on('error', (cause: NodeJS.ErrnoException) => end(() => reject(startError(config, cause))))
    child.on('close', (code, signalName) => {
      const how = code === null ? `was killed by ${signalName}` : `failed with exit code ${code}`
      const remedy = 'Its output is on standard error; run it by hand, or log in again'
      if (code === 0) end(() => resolve(Buffer.concat(chunks).toString('utf8')))
      else end(() => reject(execError(config, how, remedy)))
    })
  })
}

function startError(config: ExecConfig, cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'ENOENT') {
    const remedy =
      config.installHint?.trim().replace(/\.$/, '') ?? 'Install it, or correct the command in the kubeconfig'
    return execError(config, 'was not found', remedy, { cause })
  }
  const why = cause.code === 'EACCES' ? 'cannot be run by this user' : `could not be started (${cause.code})`
  return execError(config, why, 'Check the file and its permissions', { cause })
}
