import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { ApiServer, type CommandStreams, type PodStreams } from '@homeostat/apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callers, callKubectl, startKubectl, TerminalCall, type Caller } from './call-kubectl.ts'

const all = callers()
if (all.length === 0 && process.env['CI']) throw new Error('CI needs kubectl on the PATH')

let kubeconfig: string
let stop: () => Promise<void>
let echo: Server
/** How many commands run right now. */
let running = 0

/** The server behind a Pod's port, which sends back the bytes that it gets. */
const podStreams: PodStreams = {
  exec: ({ command }) => Promise.resolve((streams) => counted(command, streams)),
  attach: () => Promise.resolve((streams) => counted(['cat'], streams)),
  portForward: () =>
    Promise.resolve(async (port) => {
      if (port !== 80) throw new Error('dial tcp4 127.0.0.1:81: connect: connection refused')
      const socket = connect({
        port: (echo.address() as AddressInfo).port,
        host: '127.0.0.1',
        allowHalfOpen: true,
      })
      await once(socket, 'connect')
      socket.on('error', () => undefined)
      const { readable, writable } = Duplex.toWeb(socket)
      return { readable, writable, close: () => void socket.destroy() }
    }),
}

async function counted(command: readonly string[], streams: CommandStreams): Promise<number> {
  running++
  try {
    return await run(command, streams)
  } finally {
    running--
  }
}

async function run([name, word]: readonly string[], streams: CommandStreams): Promise<number> {
  const { stdin, stdout, stderr, sizes, signal } = streams
  const out = stdout?.getWriter()
  const say = async (text: string | Uint8Array): Promise<void> =>
    out?.write(typeof text === 'string' ? Buffer.from(text) : text)
  switch (name) {
    case 'cat':
      for await (const chunk of stdin as AsyncIterable<Uint8Array>) await say(chunk)
      return 0
    case 'sum': {
      const hash = createHash('sha256')
      for await (const chunk of stdin as AsyncIterable<Uint8Array>) hash.update(chunk)
      await say(hash.digest('hex'))
      return 0
    }
    case 'pattern':
      for (let i = 0; i < Number(word); i++) await say(Buffer.alloc(1_000, i & 0xff))
      return 0
    case 'exit':
      await say('out\n')
      await stderr?.getWriter().write(Buffer.from('err\n'))
      return Number(word)
    case 'head': {
      // It ends with most of its input unread.
      const reader = stdin!.getReader()
      await say(`${(await reader.read()).value?.length ? 'some' : 'none'}\n`)
      return 0
    }
    case 'terminal': {
      const size = await (sizes as ReadableStream<{ width: number; height: number }>).getReader().read()
      await say(`${size.value?.width}x${size.value?.height}> `)
      for await (const chunk of stdin as AsyncIterable<Uint8Array>) {
        const text = Buffer.from(chunk).toString()
        await say(`[${[...Buffer.from(chunk)].join(' ')}]\r\n> `)
        if (text.includes('\x04')) return 7
      }
      return 1
    }
    case 'forever':
      await say('running\n')
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return 0
    default:
      throw new Error(`exec: "${name}": executable file not found in $PATH`)
  }
}

beforeAll(async () => {
  echo = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => undefined).pipe(socket))
  await once(echo.listen(0, '127.0.0.1'), 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-streams-'))
  const server = await ApiServer.start({ podStreams })
  const port = await server.listen()
  kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
  const write = async (method: 'POST' | 'PUT', path: string, object: object): Promise<void> => {
    const body = Buffer.from(JSON.stringify(object))
    const headers = { 'content-type': 'application/json' }
    const { status } = await server.handler({ method, path, query: new URLSearchParams(), headers, body })
    expect(status).toBeLessThan(300)
  }
  await write('POST', '/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'node' } })
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'pod', namespace: 'default' },
    spec: {
      nodeName: 'node',
      containers: [{ name: 'main', image: 'x', stdin: true, tty: true, ports: [{ containerPort: 80 }] }],
    },
  }
  await write('POST', '/api/v1/namespaces/default/pods', pod)
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
  await write('PUT', '/api/v1/namespaces/default/pods/pod/status', { ...pod, status })
  stop = async () => {
    await server.close()
    echo.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

afterAll(() => stop())

describe.skipIf(all.length === 0).each(all)('kubectl $name', (caller: Caller) => {
  const call = (args: string, input?: string | Buffer) =>
    callKubectl(caller, kubeconfig, args.split(' '), input)

  it('prints what a command prints, and ends as it ends', { timeout: 120_000 }, async () => {
    expect(await call('exec pod -- exit 0')).toEqual({ code: 0, out: 'out\n', errors: 'err\n' })
    const failed = await call('exec pod -- exit 42')
    expect(failed).toMatchObject({ code: 42, out: 'out\n' })
    expect(failed.errors).toBe('err\ncommand terminated with exit code 42\n')
  })

  it('says why a command cannot run', { timeout: 120_000 }, async () => {
    const { code, errors } = await call('exec pod -- nothing')
    expect(code).toBe(1)
    expect(errors).toContain(
      'error executing command in container: exec: "nothing": executable file not found in $PATH',
    )
    expect((await call('exec none -- x')).errors).toContain('pods "none" not found')
    expect((await call('exec pod -c other -- x')).errors).toContain(
      'container other is not valid for pod pod',
    )
  })

  it('carries 50 MB of input intact', { timeout: 60_000 }, async () => {
    const input = Buffer.alloc(50_000_000)
    for (let i = 0; i < input.length; i += 4) input.writeUInt32LE((i * 2_654_435_761) >>> 0, i)
    const { code, out } = await call('exec -i pod -- sum', input)
    expect(code).toBe(0)
    expect(out).toBe(createHash('sha256').update(input).digest('hex'))
  })

  it('carries 50 MB of output intact', { timeout: 60_000 }, async () => {
    const { code, out } = await call('exec pod -- pattern 50000')
    expect(code).toBe(0)
    expect(out.length).toBe(50_000_000)
    const bytes = Buffer.from(out, 'latin1')
    for (let i = 0; i < 50_000; i += 777) expect(bytes[i * 1_000 + 999]).toBe(i & 0xff)
  })

  it('ends with a command that leaves its input unread', { timeout: 120_000 }, async () => {
    expect(await call('exec -i pod -- head', Buffer.alloc(20_000_000, 0x61))).toMatchObject({
      code: 0,
      out: 'some\n',
    })
  })

  it('passes keys and the size of a terminal on', { timeout: 120_000 }, async () => {
    const terminal = new TerminalCall(caller, kubeconfig, ['exec', '-it', 'pod', '--', 'terminal'])
    await terminal.shows('101x37> ')
    terminal.type('a')
    await terminal.shows('[97]')
    terminal.type('\x03')
    await terminal.shows('[3]')
    terminal.type('\x04')
    await terminal.shows('[4]')
    expect(await terminal.ended).toBe(7)
  })

  it('attaches', { timeout: 120_000 }, async () => {
    const child = startKubectl(caller, kubeconfig, ['attach', '-i', 'pod', '-c', 'main'])
    child.stdin.write('to the main process\n')
    let out = ''
    for await (const chunk of child.stdout) {
      out += String(chunk)
      if (out.includes('process\n')) break
    }
    expect(out).toContain('to the main process\n')
    child.stdin.end()
    child.kill()
    await once(child, 'close')
  })

  it('ends its command when it is killed', { timeout: 120_000 }, async () => {
    await expect.poll(() => running, { timeout: 60_000 }).toBe(0)
    const child = startKubectl(caller, kubeconfig, ['exec', 'pod', '--', 'forever'])
    await once(child.stdout, 'data')
    expect(running).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'close')
    await expect.poll(() => running, { timeout: 60_000 }).toBe(0)
  })

  it('ends its command when it is killed and its input is not read', { timeout: 120_000 }, async () => {
    const child = startKubectl(caller, kubeconfig, ['exec', '-i', 'pod', '--', 'forever'])
    child.stdin.on('error', () => undefined)
    child.stdin.write(Buffer.alloc(50_000_000))
    await once(child.stdout, 'data')
    expect(running).toBe(1)
    child.kill('SIGKILL')
    await once(child, 'close')
    await expect.poll(() => running, { timeout: 60_000 }).toBe(0)
  })

  it(
    'forwards several connections at once, and tells of one that is refused',
    { timeout: 60_000 },
    async () => {
      const child = startKubectl(caller, kubeconfig, ['port-forward', 'pod/pod', ':80', ':81'])
      let errors = ''
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      const ports = await forwarded(child.stdout, 2)
      const replies = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const socket = connect({ port: ports[0]!, host: '127.0.0.1', allowHalfOpen: true })
          const payload = Buffer.alloc(500_000, index)
          socket.end(payload)
          const chunks: Buffer[] = []
          for await (const chunk of socket) chunks.push(chunk as Buffer)
          return Buffer.concat(chunks).equals(payload)
        }),
      ).catch((error: unknown) => {
        throw new Error(`a forwarded connection failed, and kubectl said: ${errors}`, { cause: error })
      })
      expect(replies).toEqual(Array.from({ length: 20 }, () => true))
      const refused = connect(ports[1]!, '127.0.0.1')
      // kubectl may reset it, since it has not read what was written; `once` would fail by that.
      refused.on('error', () => undefined)
      refused.write('x')
      refused.resume()
      await new Promise((closed) => refused.on('close', closed))
      await once(child, 'close')
      expect(errors).toMatch(
        /an error occurred forwarding \d+ -> 81: error forwarding port 81 to pod pod, uid : .*connection refused/,
      )
    },
  )
})

async function forwarded(stdout: NodeJS.ReadableStream, count: number): Promise<number[]> {
  let text = ''
  return new Promise((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const ports = [...text.matchAll(/Forwarding from 127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
      if (ports.length === count) resolve(ports)
    })
  })
}
