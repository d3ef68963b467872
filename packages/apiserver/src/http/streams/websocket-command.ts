import type { WebSocket } from 'ws'
import type { StreamSession } from './stream-session.ts'
import { ChannelSocket, type ChannelForm } from './channel-socket.ts'
import { Inlet } from './spdy/intake.ts'
import { serveCommand } from './serve-command.ts'
import { TerminalSizes } from './terminal-sizes.ts'

type CommandSession = Extract<StreamSession, { kind: 'command' }>

/** A version of the protocol for commands over a WebSocket. */
interface CommandForm extends ChannelForm {
  /** Whether the result is sent as a Status. */
  readonly statuses: boolean
}

/**
 * The versions of the protocol by the names that clients ask for. A client that asks for none has the empty
 * name.
 */
export const COMMAND_FORMS: ReadonlyMap<string, CommandForm> = new Map([
  ['v5.channel.k8s.io', { base64: false, closes: true, statuses: true }],
  ['v4.channel.k8s.io', { base64: false, closes: false, statuses: true }],
  ['v4.base64.channel.k8s.io', { base64: true, closes: false, statuses: true }],
  ['channel.k8s.io', { base64: false, closes: false, statuses: false }],
  ['base64.channel.k8s.io', { base64: true, closes: false, statuses: false }],
  ['', { base64: false, closes: false, statuses: false }],
])

const [STDIN, STDOUT, STDERR, ERROR, RESIZE] = [0, 1, 2, 3, 4] as const

/** Opens the channels of a command on a WebSocket, and runs it. */
export function openCommandSocket(
  socket: WebSocket,
  session: CommandSession,
  protocol: string,
  signal: AbortSignal,
): { readonly connection: ChannelSocket; readonly done: Promise<void> } {
  const form = COMMAND_FORMS.get(protocol)!
  const { stdin, stdout, stderr, tty } = session.request
  const connection = new ChannelSocket(socket, form)
  const channels = {
    stdin: stdin ? new Inlet() : undefined,
    stdout: stdout ? connection.outlet(STDOUT) : undefined,
    stderr: stderr ? connection.outlet(STDERR) : undefined,
    sizes: tty ? new TerminalSizes() : undefined,
    error: connection.outlet(ERROR),
    statuses: form.statuses,
  }
  if (channels.stdin) connection.receive(STDIN, channels.stdin)
  if (channels.sizes) connection.receive(RESIZE, channels.sizes)
  // Tells the client that the connection is open.
  void (channels.stdout ?? channels.stderr ?? channels.error).write(new Uint8Array())
  return { connection, done: serveCommand(session, channels, signal) }
}
