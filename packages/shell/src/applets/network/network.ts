import { HomeostatError } from '@homeostat/api'
import type { Connection } from '../../host/connection.ts'
import { unlessAborted } from '../../process/killed.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { ConnectionInput, request } from './http-client.ts'
import { parseOptions, type Options } from '../context/options.ts'

const MOST_REDIRECTS = 5

const wget: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'qO:ST:t:cP:U:sY:H:D:',
    long: {
      quiet: 'q',
      'output-document': 'O',
      spider: 's',
      timeout: 'T',
      tries: 't',
      'server-response': 'S',
      'user-agent': 'U',
      header: 'H',
      'post-data': 'D',
      'no-check-certificate': 'q',
    },
  })
  const [url] = options.operands
  if (url === undefined) throw new AppletFailure('missing URL')
  return withTimeout(context, Number(options.value('T') ?? 900), (signal) =>
    fetchOne(context, signal, options, url, 0),
  )
}

async function fetchOne(
  context: AppletContext,
  signal: AbortSignal,
  options: Options,
  url: string,
  redirects: number,
): Promise<number> {
  const { host, port, target, shown } = addressOf(url)
  const quiet = options.has('q')
  if (!quiet) await context.note(`Connecting to ${shown}`)
  const connection = await open(context, signal, host, port, `can't connect to remote host (${shown})`)
  try {
    const headers = [
      ...options.values('H'),
      ...(options.has('U') ? [`User-Agent: ${options.value('U')}`] : []),
    ]
    const body = options.value('D')
    const method = options.has('s') ? 'HEAD' : body === undefined ? 'GET' : 'POST'
    const answer = await request(connection, signal, {
      clock: context.system.clock,
      method,
      host: shown,
      target,
      headers,
      body,
    })
    if (options.has('S')) {
      await context.note(`  ${answer.statusLine}`)
      for (const [name, value] of answer.headers) await context.note(`  ${name}: ${value}`)
    }
    const location = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      if (redirects >= MOST_REDIRECTS) throw new AppletFailure('too many redirections')
      return await fetchOne(
        context,
        signal,
        options,
        new URL(location, `http://${shown}${target}`).href,
        redirects + 1,
      )
    }
    if (answer.status < 200 || answer.status >= 300) {
      throw new AppletFailure(`server returned error: ${answer.statusLine}`)
    }
    if (options.has('s')) {
      if (!quiet) await context.note('remote file exists')
      return 0
    }
    await save(context, options, target, async (write) => {
      for (let bytes = await answer.body.read(signal); bytes; bytes = await answer.body.read(signal)) {
        await write(bytes)
      }
    })
    return 0
  } finally {
    connection.close()
  }
}

async function save(
  context: AppletContext,
  options: Options,
  target: string,
  copy: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const path = target.split(/[?#]/, 1)[0] ?? '/'
  const name = options.value('O') ?? (path.slice(path.lastIndexOf('/') + 1) || 'index.html')
  if (name === '-' || name === '/dev/stdout') {
    await copy(async (bytes) => {
      await context.print(bytes)
      await context.flush()
    })
    return
  }
  if (name === '/dev/null') {
    await copy(() => context.step())
    return
  }
  const folder = options.has('P') ? `${options.value('P')}/` : ''
  if (!options.has('q')) await context.note(`saving to '${name}'`)
  using file = context.files.open(context.absolute(folder + name), {
    write: true,
    create: true,
    truncate: true,
  })
  await copy(async (bytes) => {
    file.write(bytes)
    await context.step(4)
  })
  if (!options.has('q')) await context.note(`'${name}' saved`)
}

/** The parts of an address; `http://` may be left out. */
function addressOf(url: string): { host: string; port: number; target: string; shown: string } {
  const scheme = /^([a-z]+):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme !== undefined && scheme !== 'http') {
    throw new AppletFailure(`not an http address: ${url}: other protocols are not supported`)
  }
  let parsed: URL
  try {
    parsed = new URL(scheme === undefined ? `http://${url}` : url)
  } catch {
    throw new AppletFailure(`bad address '${url}'`)
  }
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port || 80),
    target: `${parsed.pathname}${parsed.search}`,
    shown: parsed.host,
  }
}

async function open(
  context: AppletContext,
  signal: AbortSignal,
  host: string,
  port: number,
  failure: string,
): Promise<Connection> {
  const opening = context.system.connect(host, port)
  try {
    return await unlessAborted(opening, signal)
  } catch (error) {
    if (signal.aborted) {
      // A connection that opens after the abort is not used.
      opening.then((connection) => connection.close()).catch(() => undefined)
      throw error
    }
    const code = error instanceof HomeostatError ? error.code : ''
    if (code === 'HOST_NOT_FOUND') throw new AppletFailure(`bad address '${host}'`)
    const reason = code === 'HOST_OUTSIDE' ? 'Network is unreachable' : 'Connection refused'
    throw new AppletFailure(`${failure}: ${reason}`)
  }
}

/** Runs work with a signal that also aborts when the time limit has passed on the clock; 0 means no limit. */
async function withTimeout<T>(
  context: AppletContext,
  seconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!(seconds >= 0)) throw new AppletFailure('invalid timeout')
  if (seconds === 0) return work(context.signal)
  const late = new AbortController()
  using _timer = context.system.clock.schedule(seconds * 1_000, () =>
    late.abort(new AppletFailure('download timed out')),
  )
  return await work(AbortSignal.any([context.signal, late.signal]))
}

const nc: Applet = async (context) => {
  const options = parseOptions(context, { letters: 'zw:vnlkp:q:i:u46' })
  if (options.has('l') || options.has('u'))
    throw new AppletFailure('listening and UDP are not supported: nc only connects')
  const [host, portText] = options.operands
  const port = Number(portText)
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new AppletFailure(`bad port '${portText ?? ''}': usage: nc [-z] [-w SEC] HOST PORT`)
  }
  const seconds = Number(options.value('w') ?? 0)
  const connection = await withTimeout(context, seconds, (signal) =>
    open(context, signal, host, port, `can't connect to remote host (${host})`),
  )
  try {
    if (options.has('v') || options.has('z')) {
      if (options.has('v')) await context.note(`${host} (${host}:${port}) open`)
      if (options.has('z')) return 0
    }
    void send(context, connection)
    const input = new ConnectionInput(connection, context.system.clock)
    for (let bytes = await input.read(context.signal); bytes; bytes = await input.read(context.signal)) {
      await context.print(bytes)
      await context.flush()
    }
    return 0
  } finally {
    connection.close()
  }
}

/** Sends standard input, and then closes that direction. */
async function send(context: AppletContext, connection: Connection): Promise<void> {
  const writer = connection.writable.getWriter()
  try {
    for (
      let bytes = await context.stdin.read(context.signal);
      bytes;
      bytes = await context.stdin.read(context.signal)
    ) {
      await unlessAborted(writer.write(bytes), context.signal)
    }
    await unlessAborted(writer.close(), context.signal)
  } catch {
    // The other side has closed, or the applet has ended. The reader of the connection reports the outcome.
  }
}

/** Applets that connect to other Pods and Services. */
export const networkApplets: Readonly<Record<string, Applet>> = { wget, nc }
