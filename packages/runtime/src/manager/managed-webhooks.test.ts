import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock, type ApiHandler } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import { admissionReview } from '../../test/review-call.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import { admission } from '../webhook/index.ts'
import type { ManagerOptions } from './manager-options.ts'
import { Manager } from './manager.ts'

const PATH = '/validate--v1-configmap'
const review = admissionReview({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
const asking = admission(ConfigMap).validates({
  create: async (_, { client }) => {
    await client.live.get(ConfigMap, { namespace: 'default', name: 'other' })
  },
})

let folder: string
let stop: AbortController
/** The operator's requests to the API server. */
let asked: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-manager-webhooks-'))
  await writeFile(join(folder, 'tls.crt'), certificates.server.cert)
  await writeFile(join(folder, 'tls.key'), certificates.server.key)
  stop = new AbortController()
  asked = []
})
afterEach(async () => {
  stop.abort()
  await rm(folder, { recursive: true })
})
const tls = () => ({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') })

function setUp(options: ManagerOptions = {}) {
  const clock = new SimulatedClock()
  const absent: ApiHandler = ({ method, path }) => {
    asked.push(`${method} ${path}`)
    const body = new TextEncoder().encode(
      '{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound","details":{"name":"other"}}',
    )
    return Promise.resolve({ status: 404, headers: { 'content-type': 'application/json' }, body })
  }
  const transport = directTransport(absent, { clock })
  return new Manager({ clock, transport, logger: silentLogger, ...options })
}

function post(url: string): Promise<{ allowed: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const request = https.request(
      url,
      { method: 'POST', ca: certificates.ca, agent: false, headers },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve(JSON.parse(text).response))
      },
    )
    request.on('error', reject)
    request.end(JSON.stringify(review))
  })
}

test('a manager serves webhooks over HTTPS with the certificate of files, with its client and metrics, until it stops', async () => {
  const manager = setUp({ health: { port: 0 } }).addWebhooks([asking], {
    port: 0,
    host: '127.0.0.1',
    tls: tls(),
  })
  expect(manager.webhooks).toEqual([asking])
  const running = manager.start({ signal: stop.signal })
  await expect.poll(() => manager.webhooksUrl, { timeout: 60_000 }).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const ready = await fetch(`${manager.healthUrl}/readyz?verbose`)
  expect(await ready.text()).toContain('[+]webhooks ok')
  const url = `${manager.webhooksUrl}${PATH}`
  expect(await post(url)).toMatchObject({ allowed: true })
  expect(asked).toEqual(['GET /api/v1/namespaces/default/configmaps/other'])
  expect(manager.metrics.page()).toMatch(
    /controller_runtime_webhook_requests_total\{code="200",webhook="\/validate--v1-configmap"\} 1/,
  )
  stop.abort()
  await running
  expect(manager.webhooksUrl).toBeUndefined()
  await expect(post(url)).rejects.toThrow(/ECONNREFUSED/)
})

test('a manager in a Pod answers new connections for a while when it stops, within its time', async () => {
  const clock = new SimulatedClock()
  const manager = setUp({ clock, gracefulShutdownTimeout: '4s' }).addWebhooks([asking], {
    tls: tls(),
    service: { namespace: 'default' },
    port: 0,
    host: '127.0.0.1',
  })
  const running = manager.start({ signal: stop.signal })
  await expect.poll(() => manager.webhooksUrl).toMatch(/^https:/)
  const url = `${manager.webhooksUrl}${PATH}`
  stop.abort()
  expect(await post(url)).toMatchObject({ allowed: true })
  await clock.advance('1s')
  expect(await post(url)).toMatchObject({ allowed: true })
  await clock.advance('1s')
  await running
  await expect(post(url)).rejects.toThrow(/ECONNREFUSED/)
})

test('every process serves webhooks, not only the one that leads', async () => {
  const leaderElection = { name: 'lease', namespace: 'default', identity: 'one' }
  const manager = setUp({ leaderElection }).addWebhooks([asking], { tls: tls() })
  const running = manager.start({ signal: stop.signal })
  await expect.poll(() => manager.webhooksUrl, { timeout: 60_000 }).toBeDefined()
  expect(await post(`${manager.webhooksUrl}${PATH}`)).toMatchObject({ allowed: true })
  stop.abort()
  await running
})

test('a test calls the webhooks in its own process, without a port or a certificate', async () => {
  let served: { handler: ApiHandler; signal: AbortSignal } | undefined
  const manager = setUp({ serveWebhooks: (handler, signal) => void (served = { handler, signal }) })
  const running = manager.addWebhooks([asking]).start({ signal: stop.signal })
  await expect.poll(() => served, { timeout: 60_000 }).toBeDefined()
  const answer = await served!.handler({
    method: 'POST',
    path: PATH,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(review)),
  })
  expect(answer.status).toBe(200)
  expect(manager.webhooksUrl).toBeUndefined()
  stop.abort()
  await running
  expect(served!.signal.aborted).toBe(true)
})

test('a process is not ready before it has a certificate', async () => {
  const manager = setUp({ health: { port: 0 } }).addWebhooks([asking], {
    name: 'asking',
    service: { namespace: 'default' },
    host: '127.0.0.1',
    port: 0,
  })
  const running = manager.start({ signal: stop.signal })
  // The API server of this test has no Secret, and refuses to create one.
  await expect.poll(() => asked, { timeout: 60_000 }).toContain('POST /api/v1/namespaces/default/secrets')
  const ready = await fetch(`${manager.healthUrl}/readyz/webhooks`)
  expect(ready.status).toBe(500)
  expect(manager.webhooksUrl).toBeUndefined()
  stop.abort()
  await running
})

test('its rules are those that it needs in a Pod, also outside of a Pod', () => {
  const manager = setUp().addWebhooks([asking], { name: 'asking' })
  const configurations = {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['validatingwebhookconfigurations'],
    resourceNames: ['asking'],
    verbs: ['get', 'list', 'watch', 'patch'],
  }
  expect(manager.rules('controllers')).toContainEqual(configurations)
  expect(manager.rules('namespace')).toEqual([
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['asking-webhook-certificates'],
      verbs: ['get', 'list', 'watch', 'patch'],
    },
  ])
})

test('webhooks that make their own certificates need a name, and consistent options', () => {
  expect(() => setUp().addWebhooks([asking])).toThrow(/the name is missing: give the name of the operator/)
  const add = (options: object) => () => setUp().addWebhooks([asking], { name: 'asking', ...options })
  expect(add({ url: 'http://a' })).toThrow(/must be an address that begins with https/)
  expect(add({ url: 'https://a', service: {} })).toThrow(/service and url exclude each other/)
  expect(add({ tls: tls(), install: true })).toThrow(/leave tls out/)
  expect(add({ certificates: { validity: '1h', renewBefore: '2h' } })).toThrow(
    /less than certificates.validity/,
  )
})

test('webhooks are added once, and options must exist', () => {
  const manager = setUp().addWebhooks([asking], { tls: tls() })
  expect(() => manager.addWebhooks([asking])).toThrow(/all webhooks/)
  expect(() => setUp().addWebhooks([asking], { prot: 1 } as never)).toThrow(/did you mean port/)
  expect(() => setUp().addWebhooks([asking, asking], { name: 'asking' })).toThrow(/have the path/)
})
