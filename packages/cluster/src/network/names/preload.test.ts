import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Loopback } from '../addresses/loopback.ts'
import { NameServer, type NameAnswer, type NameQuestion } from './name-server.ts'
import { PodNetwork, type PodAddress } from '../addresses/pod-network.ts'
import { preloadVariables } from './preload-variables.ts'

const run = promisify(execFile)
const SLOW = { timeout: 120_000 }

let loopback: Loopback
let names: NameServer
let address: PodAddress
let answers: Record<string, NameAnswer>
let asked: NameQuestion[]
let web: { readonly host: string; readonly port: number; close(): void }

beforeEach(async () => {
  loopback = await Loopback.claim()
  asked = []
  names = await NameServer.listen((question) => {
    asked.push(question)
    return Promise.resolve(answers[question.host] ?? {})
  })
  address = await new PodNetwork(loopback).attach('pod', [8080])
  const host = loopback.address(0x80, 9)
  const server = createServer((request, response) => {
    response.end(`${request.headers.host} from ${request.socket.remoteAddress}`)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, host, () => resolve((server.address() as { port: number }).port))
  })
  web = { host, port, close: () => void server.close() }
  answers = { web: { host, port }, '10.96.0.9': { host, port }, '10.244.0.99': { refused: true } }
})

afterEach(async () => {
  web.close()
  await names.close()
  await loopback.close()
})

/** The output of a program that runs as a process of the Pod. */
async function program(source: string): Promise<string> {
  const variables = preloadVariables({
    names: `${names.address.host}:${names.address.port}`,
    namespace: 'shop',
    address,
  })
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source], {
    env: { PATH: process.env['PATH'], ...variables },
  })
  return stdout.trim()
}

describe('a Node process of a Pod', () => {
  it('reaches a Service by its name with fetch, which keeps the name in its request', SLOW, async () => {
    const text = await program(`console.log(await (await fetch('http://web/')).text())`)
    expect(text).toBe(`web from ${address.host}`)
    expect(asked).toContainEqual({ host: 'web', port: 80, namespace: 'shop' })
  })

  it(
    'reaches addresses of the cluster with node:http, and is refused at an unassigned address',
    SLOW,
    async () => {
      const text = await program(`
      import http from 'node:http'
      const get = (url) => new Promise((resolve) => {
        http.get(url, (answer) => answer.setEncoding('utf8').on('data', resolve)).on('error', (error) => resolve(error.code))
      })
      console.log(await get('http://10.96.0.9/'), await get('http://10.244.0.99/'))
    `)
      expect(text).toBe(`10.96.0.9 from ${address.host} ECONNREFUSED`)
    },
  )

  it('sends nothing to an address of the cluster when the cluster is gone', SLOW, async () => {
    await names.close()
    const text = await program(`
      import net from 'node:net'
      net.connect(80, '10.244.0.1').on('error', (error) => console.log(error.code))
    `)
    expect(text).toBe('ECONNREFUSED')
  })

  it('resolves names, also those that the cluster does not know', SLOW, async () => {
    const text = await program(`
      import dns, { lookup } from 'node:dns'
      lookup('web', (error, found, family) => console.log(found, family))
      console.log((await dns.promises.lookup('web')).address)
      dns.lookup('no-such-host.invalid', (error) => console.log(error.code))
    `)
    expect(text.split('\n').sort()).toEqual(
      [`${web.host} 4`, web.host, expect.stringMatching(/^E(?:NOTFOUND|AI_AGAIN)$/) as string].sort(),
    )
  })

  it('listens on its own address only, which is its localhost', SLOW, async () => {
    const text = await program(`
      import http from 'node:http'
      const server = http.createServer((request, response) => response.end('mine')).listen(8080, async () => {
        console.log(server.address().address, await (await fetch('http://localhost:8080')).text())
        server.close()
        server.closeAllConnections()
      })
    `)
    expect(text).toBe(`${address.host} mine`)
  })

  it('listens where the ports that it declares are, whatever form it asks in', SLOW, async () => {
    const text = await program(`
      import net from 'node:net'
      const listen = (...args) => new Promise((resolve) => {
        const server = net.createServer().listen(...args, () => {
          resolve(server.address().address + ':' + (server.address().port === 8080))
          server.close()
        })
      })
      console.log(await listen({ port: 8080, host: '0.0.0.0' }), await listen(8080, '::', 10), await listen('8080', 5), await listen())
    `)
    expect(text).toBe([...Array<string>(3).fill(`${address.host}:true`), `${address.host}:false`].join(' '))
  })
})
