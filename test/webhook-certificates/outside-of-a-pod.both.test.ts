import { defineKind, schema as s } from '@homeostat/api'
import {
  admission,
  conversion,
  createLogger,
  customResourceDefinition,
  invalid,
  Manager,
  type Logger,
  type Transport,
} from 'homeostat'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const names = { group: 'outside.homeostat.dev', kind: 'Note' } as const
const NoteV1 = defineKind({ ...names, version: 'v1', spec: s.object({ text: s.string() }) })
const NoteV2 = defineKind({ ...names, version: 'v2', spec: s.object({ words: s.list(s.string()) }) })
const webhooks = [
  admission(NoteV1).validates({
    create: ({ spec }) => (spec.text === 'bad' ? [invalid('spec.text', 'is bad')] : []),
  }),
  conversion(NoteV1)
    .version(NoteV2)
    .converts({
      toStored: ({ spec }) => ({ spec: { text: spec.words.join(' ') } }),
      fromStored: ({ spec }) => ({ spec: { words: spec.text.split(' ') } }),
    }),
]
const CONFIGURATION = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/notes'
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/notes.outside.homeostat.dev'

let server: TestServer
let stop: AbortController
let lines: string[]
/** The paths of what the operator has applied. */
let applied: string[]
beforeAll(async () => {
  server = await startTestServer({ realTime: true })
  const definition = customResourceDefinition([NoteV2, NoteV1], { stored: 'v1' })
  await server.call('POST', DEFINITION.replace(/\/[^/]+$/, ''), { body: definition })
  await server.until('serving notes', async () => (await notes('v1', 'GET')).status === 200)
})
beforeEach(() => {
  stop = new AbortController()
  lines = []
  applied = []
})
afterAll(async () => {
  await server.call('DELETE', CONFIGURATION)
  await server.call('DELETE', DEFINITION)
  await server.close()
})

function notes(version: string, method: 'GET' | 'POST', body?: object) {
  const path = `/apis/outside.homeostat.dev/${version}/namespaces/${server.namespace}/notes`
  return server.call(method, path, body ? { body } : {})
}

function create(text: string) {
  const metadata = { generateName: 'note-' }
  return notes('v1', 'POST', {
    apiVersion: 'outside.homeostat.dev/v1',
    kind: 'Note',
    metadata,
    spec: { text },
  })
}

/** Starts an operator as a person does in a terminal. */
function start(): Promise<void> {
  const { clock } = server
  const transport: Transport = {
    ...server.transport,
    send: (request) => {
      if (request.method === 'PATCH') applied.push(request.path)
      return server.transport.send(request)
    },
  }
  const logger: Logger = createLogger({ clock, format: 'text', write: (line) => lines.push(line) })
  const manager = new Manager({ clock, transport, logger })
  return manager.addWebhooks(webhooks, { name: 'notes' }).start({ signal: stop.signal })
}

const refused = async (): Promise<boolean> => (await create('bad')).status === 422

it('a process outside of the cluster installs its webhooks, and takes them away when it stops', async () => {
  expect((await create('bad')).status).toBe(201)
  const running = start()
  await server.until('the webhook refuses', refused)
  const { body } = await create('bad')
  expect(body.message).toContain('spec.text: Invalid value: "bad": is bad')
  expect((await create('good words')).status).toBe(201)
  const { body: definition } = await server.call('GET', DEFINITION)
  expect(definition.spec.conversion.webhook.clientConfig.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/convert$/)
  if (server.name === 'kubernetes') {
    const listed = await server.until('conversion', async () => {
      const answer = await notes('v2', 'GET')
      return answer.status === 200 ? answer.body.items : undefined
    })
    expect(listed.map((item: any) => item.spec.words)).toContainEqual(['good', 'words'])
  }
  // The watches have shown what was applied, and nothing was left to do.
  await expect
    .poll(() => lines.join(''), { timeout: 60_000 })
    .toMatch(/webhooks are served[^]*successfully reconciled.*ValidatingWebhookConfiguration notes was/)
  expect(applied.filter((path) => path === CONFIGURATION)).toHaveLength(1)
  stop.abort()
  await running
  expect((await server.call('GET', CONFIGURATION)).status).toBe(404)
  expect((await server.call('GET', DEFINITION)).body.spec.conversion).toEqual({ strategy: 'None' })
  await server.until('the webhook is not asked any more', async () => (await create('bad')).status === 201)
})

it('the next start replaces what a crashed process has left', async () => {
  const running = start()
  await server.until('the webhook refuses', refused)
  const { body: left } = await server.call('GET', CONFIGURATION)
  const { body: definition } = await server.call('GET', DEFINITION)
  stop.abort()
  await running
  // As a crash leaves them: they lead to a port that is closed.
  const { managedFields: _, resourceVersion: __, uid: ___, ...metadata } = left.metadata
  await server.call('POST', CONFIGURATION.replace('/notes', ''), { body: { ...left, metadata } })
  const spec = { conversion: definition.spec.conversion }
  await server.call('PATCH', `${DEFINITION}?fieldManager=webhook-certificates&force=true`, {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'notes.outside.homeostat.dev' },
      spec,
    },
    contentType: 'application/apply-patch+yaml',
  })
  await server.until('writes fail', async () => (await create('good')).status === 500)
  stop = new AbortController()
  const again = start()
  await server.until('the webhook refuses', refused)
  await server.until('writes succeed', async () => (await create('good')).status === 201)
  stop.abort()
  await again
  expect((await server.call('GET', CONFIGURATION)).status).toBe(404)
})

it('a conversion whose Service is not there is taken over, since no operator in the cluster serves it', async () => {
  const service = { namespace: server.namespace, name: 'notes-webhooks', path: '/convert' }
  const conversion = (): object => ({
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { service } },
  })
  const contentType = 'application/merge-patch+json'
  const patch = { body: { spec: { conversion: conversion() } }, contentType }
  expect((await server.call('PATCH', DEFINITION, patch)).status).toBe(200)
  const clientConfig = async () =>
    (await server.call('GET', DEFINITION)).body.spec.conversion?.webhook?.clientConfig
  const running = start()
  await server.until('the URL', async () => (await clientConfig())?.url !== undefined)
  expect((await clientConfig()).service).toBeUndefined()
  stop.abort()
  await running

  const services = `/api/v1/namespaces/${server.namespace}/services`
  const body = { metadata: { name: 'notes-webhooks' }, spec: { ports: [{ port: 443 }] } }
  expect((await server.call('POST', services, { body })).status).toBe(201)
  expect((await server.call('PATCH', DEFINITION, patch)).status).toBe(200)
  stop = new AbortController()
  const again = start()
  await server.until('the error', () =>
    Promise.resolve(lines.some((line) => line.includes('Remove the operator from the cluster first'))),
  )
  stop.abort()
  await again
  expect((await clientConfig()).service).toMatchObject({ name: 'notes-webhooks' })
  await server.call('PATCH', DEFINITION, {
    body: { spec: { conversion: { strategy: 'None', webhook: null } } },
    contentType,
  })
})

it('webhooks that others have installed are left alone, and the error says what to do', async () => {
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'notes' },
    webhooks: [],
  }
  expect((await server.call('POST', CONFIGURATION.replace('/notes', ''), { body })).status).toBe(201)
  const running = start()
  await server.until('the error', () =>
    Promise.resolve(lines.some((line) => line.includes('Remove the operator from the cluster first'))),
  )
  stop.abort()
  await running
  const { body: left } = await server.call('GET', CONFIGURATION)
  expect(left.webhooks ?? []).toEqual([])
})
