import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HomeostatError, SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runIn, type ShellResult } from '../../../test/run-in.ts'
import type { Connection } from '../../host/connection.ts'

let root: string
let clock: SimulatedClock
let asked: string[]
let closed: number

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'homeostat-network-'))
  clock = new SimulatedClock()
  asked = []
  closed = 0
})

afterEach(() => rmSync(root, { recursive: true }))

/** A server that sends its answer as soon as it has read an empty line. */
function server(answer: string | undefined): (host: string, port: number) => Promise<Connection> {
  return async (host, port) => {
    const out = new TransformStream<Uint8Array, Uint8Array>()
    const writer = out.writable.getWriter()
    let request = ''
    const writable = new WritableStream<Uint8Array>({
      write(chunk) {
        request += Buffer.from(chunk).toString()
        if (!request.includes('\r\n\r\n')) return
        asked.push(`${host}:${port} ${request}`)
        if (answer === undefined) return
        void writer
          .write(Buffer.from(answer))
          .then(() => writer.close())
          .catch(() => undefined)
      },
      close() {
        asked.push(`${host}:${port} ${request}`)
        void writer
          .write(Buffer.from(answer ?? ''))
          .then(() => writer.close())
          .catch(() => undefined)
      },
    })
    return { readable: out.readable, writable, close: () => void closed++ }
  }
}

async function sh(
  script: string,
  connect: (host: string, port: number) => Promise<Connection>,
): Promise<ShellResult> {
  const run = runIn(root, ['sh', '-c', script], { clock, connect })
  await clock.advance('20s')
  return run
}

const OK =
  'HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Type: text/plain\r\n\r\nhello\nmore than was promised'

describe('wget', () => {
  it('prints a page of a Service', async () => {
    expect(await sh('wget -qO- http://web:8080/path?q=1', server(OK))).toEqual({
      stdout: 'hello\n',
      stderr: '',
      code: 0,
    })
    expect(asked[0]).toContain('web:8080 GET /path?q=1 HTTP/1.1\r\nHost: web:8080\r\n')
    expect(closed).toBe(1)
  })

  it('keeps a page in a file, by its name', async () => {
    expect(
      await sh('wget -q web/dir/page.html; wget -q web -O other; wget -q web', server(OK)),
    ).toMatchObject({ code: 0 })
    for (const file of ['page.html', 'other', 'index.html'])
      expect(readFileSync(join(root, file), 'utf8')).toBe('hello\n')
  })

  it('reads an answer that comes in pieces', async () => {
    const chunked =
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n'
    expect(await sh('wget -qO- web', server(chunked))).toMatchObject({ stdout: 'abcde', code: 0 })
  })

  it('sends headers and a body', async () => {
    await sh('wget -qO- --header "X-A: b" --post-data "k=v" web', server(OK))
    expect(asked[0]).toContain('POST / HTTP/1.1')
    expect(asked[0]).toContain('X-A: b\r\n')
    await sh('wget -qO- --header "X-A: b\r\nInjected: yes" web', server(OK))
    expect(asked.join()).not.toContain('Injected')
  })

  it('fails with 1 and the reason', async () => {
    const missing = server('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    expect(await sh('wget -qO- web/x', missing)).toEqual({
      stdout: '',
      stderr: 'wget: server returned error: HTTP/1.1 404 Not Found\n',
      code: 1,
    })
    const refused = (code: string) => () => Promise.reject(new HomeostatError(code, 'no'))
    expect((await sh('wget -qO- web', refused('CONNECTION_REFUSED'))).stderr).toContain('Connection refused')
    expect((await sh('wget -qO- nowhere', refused('HOST_NOT_FOUND'))).stderr).toBe(
      "wget: bad address 'nowhere'\n",
    )
    expect((await sh('wget -qO- example.org', refused('HOST_OUTSIDE'))).stderr).toContain(
      'Network is unreachable',
    )
    expect((await sh('wget -qO- https://web', server(OK))).stderr).toContain(
      'other protocols are not supported',
    )
    expect(await sh('wget -qO- web', server('garbage\r\n\r\n'))).toMatchObject({ code: 1 })
    expect(
      await sh('wget -qO- web', server('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort')),
    ).toMatchObject({ code: 1 })
  })

  it('gives up after its timeout on a server that sends nothing', async () => {
    expect(await sh('wget -T 5 -qO- web; echo $? $(date +%S)', server(undefined))).toMatchObject({
      stdout: '1 05\n',
    })
    expect(closed).toBe(1)
  })

  it('follows a redirection, but not for ever', async () => {
    const ring = server('HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n')
    expect((await sh('wget -qO- web', ring)).stderr).toContain('too many redirections')
    expect(asked).toHaveLength(6)
  })
})

describe('nc', () => {
  it('reports whether a port is open', async () => {
    expect(await sh('nc -z web 80; echo $?', server(''))).toMatchObject({ stdout: '0\n' })
    const refused = () => Promise.reject(new HomeostatError('CONNECTION_REFUSED', 'no'))
    expect(await sh('nc -z web 80; echo $?; nc -z web x; echo $?', refused)).toMatchObject({
      stdout: '1\n1\n',
    })
  })

  it('carries data in both directions', async () => {
    expect(await sh('echo ping | nc db 3306', server('pong\n'))).toMatchObject({ stdout: 'pong\n', code: 0 })
    expect(asked).toEqual(['db:3306 ping\n'])
  })
})
