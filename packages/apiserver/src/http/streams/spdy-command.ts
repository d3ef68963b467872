import type { Duplex } from 'node:stream'
import type { AttachRequest, StreamSession } from './stream-session.ts'
import { serveCommand, type CommandChannels } from './serve-command.ts'
import { SpdyConnection, SpdyError, type SpdyStream } from './spdy/index.ts'
import { TerminalSizes } from './terminal-sizes.ts'

type CommandSession = Extract<StreamSession, { kind: 'command' }>

/** The versions of the protocol for commands, as clients name them. */
export const COMMAND_PROTOCOLS = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
] as const

/** How long a client may take to open its streams, in milliseconds. */
const STREAMS_TIMEOUT = 30_000

/** Opens the connection of a command. It runs when the client has opened a stream for each of its channels. */
export function openCommand(
  duplex: Duplex,
  session: CommandSession,
  protocol: string,
  signal: AbortSignal,
): { readonly connection: SpdyConnection; readonly done: Promise<void> } {
  const expected = streamTypes(session.request, protocol)
  const streams = new Map<string, SpdyStream>()
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const timer = session.clock.schedule(STREAMS_TIMEOUT, resolve)
  // A client may disconnect before it has opened all of them.
  signal.addEventListener('abort', () => resolve(), { once: true })
  void done.then(() => timer.cancel())
  const connection = new SpdyConnection(duplex, (stream) => {
    const type = stream.headers.get('streamtype') ?? ''
    if (!expected.includes(type) || streams.has(type))
      throw new SpdyError(`a stream of the type ${type} is not expected`)
    streams.set(type, stream)
    if (streams.size < expected.length) return undefined
    return () => {
      timer.cancel()
      serveCommand(session, channelsOf(streams, protocol), signal).then(resolve, resolve)
    }
  })
  return { connection, done }
}

function streamTypes({ stdin, stdout, stderr, tty }: AttachRequest, protocol: string): string[] {
  const resizes = tty && /^v[3-5]\./.test(protocol)
  return [
    'error',
    ...(stdin ? ['stdin'] : []),
    ...(stdout ? ['stdout'] : []),
    ...(stderr ? ['stderr'] : []),
    ...(resizes ? ['resize'] : []),
  ]
}

function channelsOf(streams: ReadonlyMap<string, SpdyStream>, protocol: string): CommandChannels {
  const resize = streams.get('resize')
  return {
    stdin: streams.get('stdin')?.incoming,
    stdout: streams.get('stdout'),
    stderr: streams.get('stderr'),
    sizes: resize && sizesOf(resize),
    error: streams.get('error')!,
    statuses: /^v[45]\./.test(protocol),
  }
}

/** Keeps reading the sizes, whether or not the command uses them. */
function sizesOf({ incoming }: SpdyStream): TerminalSizes {
  const sizes = new TerminalSizes()
  const sink = {
    write: (bytes: Uint8Array) => sizes.write(bytes),
    close: () => sizes.end(),
    abort: () => sizes.end(),
  }
  incoming.readable.pipeTo(new WritableStream<Uint8Array>(sink)).catch(() => sizes.end())
  return sizes
}
