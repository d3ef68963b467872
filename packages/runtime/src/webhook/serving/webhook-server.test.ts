import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls, { type TLSSocket } from 'node:tls'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as certificates from '../../../test/certificates.ts'
import { admissionReview } from '../../../test/review-call.ts'
import type { Client } from '../../client/index.ts'
import { MetricsRegistry, silentLogger } from '../../telemetry/index.ts'
import { allowed, rawAdmission } from '../admission/index.ts'
import type { WebhookContext } from '../review/index.ts'
import { WebhookServer } from './index.ts'

const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] } as const
const PATH = '/validate-a-example-com'
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }

let folder: string
let stop: AbortController
const clock = new SimulatedClock()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-webhooks-'))
  stop = new AbortController()
  await write(certificates.server)
})
afterEach(() => rm(folder, { recursive: true }))

const files = () => ({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') })
async function write({ cert, key }: { cert: string; key: string }): Promise<void> {
  await writeFile(files().certFile, cert)
  await writeFile(files().keyFile, key)
}

async function started(
  handler: (context: WebhookContext) => Promise<void> | void = () => {},
  options: { readonly shutdownDelay?: '5s' } = {},
) {
  const policy = rawAdmission('a.example.com', rule).validates(async (_, context) => {
    await handler(context)
    return allowed()
  })
  const server = new WebhookServer([policy], { tls: files(), port: 0, host: '127.0.0.1', ...options })
  expect(() => server.ready()).toThrow(/not served yet/)
  const running = server.run({
    client: {} as Client,
    log: silentLogger,
    clock,
    metrics: new MetricsRegistry(),
    signal: stop.signal,
  })
  await expect.poll(() => server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  return { server, running, url: server.url! }
}

function post(url: string, path: string, body: unknown, agent?: https.Agent) {
  return new Promise<{ status: number | undefined; body: string; subject: string }>((resolve, reject) => {
    const request = https.request(
      `${url}${path}`,
      {
        method: 'POST',
        ca: certificates.ca,
        agent: agent ?? false,
        headers: { 'content-type': 'application/json' },
        checkServerIdentity: () => undefined,
      },
      (response) => {
        const subject = String((response.socket as TLSSocket).getPeerCertificate().subject['CN'])
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve({ status: response.statusCode, body: text, subject }))
      },
    )
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}

describe('a server of webhooks', () => {
  it('answers over HTTPS, is ready while it does, and closes with the manager', async () => {
    const { server, running, url } = await started()
    server.ready()
    const answer = await post(url, `${PATH}?timeout=10s`, admissionReview(pod))
    expect(answer).toMatchObject({ status: 200, subject: 'server' })
    expect(JSON.parse(answer.body).response).toMatchObject({ uid: 'review-1', allowed: true })
    expect(await post(url, '/other', {})).toMatchObject({ status: 404, body: '404 page not found\n' })
    stop.abort()
    await running
    expect(server.url).toBeUndefined()
    await expect(post(url, PATH, admissionReview(pod))).rejects.toThrow(/ECONNREFUSED/)
  })

  it('uses a renewed certificate while it serves', async () => {
    const { running, url } = await started()
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
    expect((await post(url, PATH, admissionReview(pod), agent)).status).toBe(200)
    await write(certificates.misnamed)
    await clock.advance('10s')
    await expect.poll(async () => (await post(url, PATH, admissionReview(pod))).subject).toBe('misnamed')
    expect((await post(url, PATH, admissionReview(pod), agent)).status).toBe(200)
    agent.destroy()
    stop.abort()
    await running
  })

  it('answers open requests before it closes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const { running, url } = await started(() => (entered.resolve(), promise))
    const answer = post(url, PATH, admissionReview(pod))
    await entered.promise
    stop.abort()
    resolve()
    expect((await answer).status).toBe(200)
    await running
  })

  it('still answers new connections during the shutdown delay, on each of them once', async () => {
    const { server, running, url } = await started(undefined, { shutdownDelay: '5s' })
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
    const opened: unknown[] = []
    agent.on('free', (socket) => opened.push(socket))
    expect((await post(url, PATH, admissionReview(pod), agent)).status).toBe(200)
    await expect.poll(() => opened.length).toBe(1)
    stop.abort()
    const problem = () => {
      try {
        server.ready()
        return ''
      } catch (error) {
        return String(error)
      }
    }
    await expect.poll(problem).toContain('not served any more: the manager stops')
    expect((await post(url, PATH, admissionReview(pod), agent)).status).toBe(200)
    expect((await post(url, PATH, admissionReview(pod))).status).toBe(200)
    expect((await post(url, PATH, admissionReview(pod), agent)).status).toBe(200)
    await clock.advance('4s')
    expect((await post(url, PATH, admissionReview(pod))).status).toBe(200)
    await clock.advance('1s')
    await running
    await expect(post(url, PATH, admissionReview(pod))).rejects.toThrow(/ECONNREFUSED/)
    // The earlier connection was not used again: the agent kept none.
    expect(opened).toHaveLength(1)
    agent.destroy()
  })

  it("does not wait for connections without a request, such as those that Go's client opens in advance", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const entered = Promise.withResolvers<void>()
    const { running, url } = await started(() => (entered.resolve(), promise))
    const { hostname, port } = new URL(url)
    const unused = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
    await once(unused, 'secureConnect')
    const unfinished = net.connect({ host: hostname, port: Number(port) })
    await once(unfinished, 'connect')
    const agent = new https.Agent({ keepAlive: true })
    const answer = post(url, PATH, admissionReview(pod), agent)
    await entered.promise
    const closed = Promise.all([once(unused, 'close'), once(unfinished, 'close')])
    stop.abort()
    await closed
    resolve()
    expect((await answer).status).toBe(200)
    await running
    agent.destroy()
  })

  it('aborts the signal of a call whose caller hangs up, and not of one that was answered', async () => {
    const signals: AbortSignal[] = []
    const never = Promise.withResolvers<void>()
    const { running, url } = await started(({ signal }) => {
      signals.push(signal)
      return signals.length === 1 ? undefined : never.promise
    })
    const agent = new https.Agent({ keepAlive: true })
    expect((await post(url, PATH, admissionReview(pod), agent)).status).toBe(200)
    const cut = post(url, PATH, admissionReview(pod), agent)
    await expect.poll(() => signals.length).toBe(2)
    agent.destroy()
    await expect(cut).rejects.toThrow()
    await expect.poll(() => signals[1]?.aborted).toBe(true)
    expect(signals[1]?.reason).toMatchObject({ code: 'WEBHOOK_CALLER_GONE' })
    expect(signals[0]?.aborted).toBe(false)
    stop.abort()
    await running
  })

  it.each([
    ['a path', (url: string) => `${url}${PATH}`, 200],
    ['two slashes before the path', (url: string) => `${url}//other${PATH}`, 404],
  ])('reads the target of a request: %s', async (_, target, status) => {
    const { running, url } = await started()
    expect((await post(target(url), '', admissionReview(pod))).status).toBe(status)
    stop.abort()
    await running
  })

  it('goes on after a body that ends too early', async () => {
    const { running, url } = await started()
    const { hostname, port } = new URL(url)
    const socket = tls.connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{`)
    socket.end()
    await once(socket.resume(), 'close')
    expect((await post(url, PATH, admissionReview(pod))).status).toBe(200)
    stop.abort()
    await running
  })

  it('fails with the reason why it cannot be opened', async () => {
    const { running, url } = await started()
    const context = {
      client: {} as Client,
      log: silentLogger,
      clock,
      metrics: new MetricsRegistry(),
      signal: stop.signal,
    }
    const taken = new WebhookServer([], { tls: files(), port: Number(new URL(url).port), host: '127.0.0.1' })
    await expect(taken.run(context)).rejects.toMatchObject({ code: 'WEBHOOK_PORT' })
    const missing = new WebhookServer([], { tls: { certFile: '/nowhere/a', keyFile: '/nowhere/b' }, port: 0 })
    await expect(missing.run(context)).rejects.toMatchObject({ code: 'PAGE_CERTIFICATE' })
    expect(() => new WebhookServer([], { tls: files(), prot: 1 } as never)).toThrow(/did you mean port/)
    stop.abort()
    await running
  })
})
