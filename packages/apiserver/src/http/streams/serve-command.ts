import { HomeostatError } from '@homeostat/api'
import type { StreamSession } from './stream-session.ts'
import { exitStatus, failureStatus, type CommandStatus } from './command-status.ts'
import { writableOf, type Inlet, type Outlet } from './spdy/intake.ts'
import type { TerminalSizes } from './terminal-sizes.ts'

/** The channels of a command, whatever protocol carries them. */
export interface CommandChannels {
  readonly stdin?: Inlet | undefined
  readonly stdout?: Outlet | undefined
  readonly stderr?: Outlet | undefined
  readonly sizes?: TerminalSizes | undefined
  /** Where the result of the command is sent. */
  readonly error: Outlet
  /** Sends it as a Status. Protocols before the fourth have only text, and only for failures. */
  readonly statuses: boolean
}

type CommandSession = Extract<StreamSession, { kind: 'command' }>

/**
 * Runs a command on its channels, and sends its result after all of its output. If the client disconnects first,
 * aborts the command's signal without waiting for its end.
 */
export async function serveCommand(
  session: CommandSession,
  channels: CommandChannels,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  const { stdin, stdout, stderr, sizes, error } = channels
  const running = session.run({
    stdin: stdin?.readable,
    stdout: stdout && writableOf(stdout),
    stderr: stderr && writableOf(stderr),
    sizes: sizes?.readable,
    signal: both,
  })
  const status = await Promise.race([outcome(running, session.failed), aborted(signal)])
  over.abort(new HomeostatError('COMMAND_ENDED', 'the command has ended'))
  stdin?.end()
  sizes?.end()
  if (!status) return
  stdout?.end()
  stderr?.end()
  const text = channels.statuses ? JSON.stringify(status) : status.status === 'Success' ? '' : status.message
  if (text) await error.write(Buffer.from(text))
  error.end()
}

async function outcome(running: Promise<number>, failed: string): Promise<CommandStatus> {
  try {
    return exitStatus(await running)
  } catch (error) {
    return failureStatus(failed, error)
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
