import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import type { ConversionScenario } from './conversion-scenarios.ts'
import { converters, MEBIBYTE } from './converters.ts'
import { PlayedScenario } from './played-scenario.ts'
import { reviewAnswer, WebhookServer, type Behaviour } from './webhook-server.ts'

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
const isOurs = process.env['HOMEOSTAT_TEST_SERVER'] === 'ours'

/** Answers with a long message, as often as the name of the object says: `denied-1`. */
const denyAtLength: Behaviour = (review) => {
  const [, mebibytes = '0'] = String(review.request.name).split('-')
  const message = 'x'.repeat(Number(mebibytes) * MEBIBYTE)
  return reviewAnswer(review, { allowed: false, status: { message, code: 403, reason: 'Forbidden' } })
}

let server: TestServer
let webhooks: WebhookServer
beforeAll(async () => {
  server = await startTestServer()
  webhooks = await WebhookServer.start({ ...converters, 'deny-at-length': denyAtLength })
})
afterAll(async () => {
  await webhooks?.[Symbol.asyncDispose]()
  await server?.close()
})

/** Reads an object whose converter gives a long one. */
async function read(converter: string, use: (played: PlayedScenario) => Promise<void>): Promise<void> {
  const scenario: ConversionScenario = { title: converter, definition: { converter }, steps: [] }
  const played = new PlayedScenario(server, webhooks, scenario)
  await played.install()
  try {
    const body = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x' }, spec: { size: '3x4' } }
    expect(await played.send({ method: 'POST', path: 'v1/things', body })).toMatchObject({ status: 201 })
    await use(played)
  } finally {
    await played.uninstall()
  }
}

const inV2 = { method: 'GET', path: 'v2/things/x' } as const
const inV1 = { method: 'GET', path: 'v1/things/x' } as const

test('an object that a converter makes 4 MiB long is served', async () => {
  await read('gives-4-mebibytes', async (played) => {
    const { status, body } = (await played.send(inV2)) as { status: number; body: any }
    expect(status).toBe(200)
    expect(body.spec.color).toHaveLength(4 * MEBIBYTE)
  })
})

// Kubernetes reads answers of any length. A test must not find out what becomes of its memory.
test.runIf(isOurs)(
  'a converter that answers with more than 32 MiB fails, and other requests go on',
  async () => {
    await read('gives-33-mebibytes', async (played) => {
      const [long, ...others] = await Promise.all([inV2, inV1, inV1].map((request) => played.send(request)))
      expect(long).toMatchObject({
        status: 500,
        body: { message: expect.stringContaining('the answer is longer than 33554432 bytes') as string },
      })
      for (const other of others) expect(other).toMatchObject({ status: 200 })
      await played.define({ converter: 'good' })
      expect(await played.send(inV2)).toMatchObject({ status: 200, body: { spec: { width: 3 } } })
    })
  },
)

test.each([1, 4])('a denial whose message is %i MiB long reaches the client whole', async (mebibytes) => {
  await denied(async (create) => {
    const { status, body } = await create(`denied-${mebibytes}`)
    expect({ status, length: body.message.length as number }).toEqual({
      status: 403,
      length: `admission webhook "length.example.com" denied the request: `.length + mebibytes * MEBIBYTE,
    })
  })
})

// As above: Kubernetes reads answers of any length.
test.runIf(isOurs)('a denial of more than 32 MiB fails, and other requests go on', async () => {
  await denied(async (create) => {
    const [long, short] = await Promise.all([create('denied-33'), create('denied-1')])
    expect(long.status).toBe(500)
    expect(long.body.message).toContain('failed calling webhook "length.example.com"')
    expect(long.body.message).toContain('the answer is longer than 33554432 bytes')
    expect(short.status).toBe(403)
  })
})

/** Creates ConfigMaps under a webhook that denies all of them, at length. */
async function denied(
  use: (create: (name: string) => Promise<{ status: number; body: any }>) => Promise<void>,
): Promise<void> {
  const name = `length-${server.namespace}`
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'length.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: webhooks.url('deny-at-length'), caBundle: webhooks.caBundle },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': server.namespace } },
        objectSelector: { matchLabels: { 'webhooks.test/length': 'yes' } },
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
      },
    ],
  }
  const create = (map: string) =>
    server.call('POST', `/api/v1/namespaces/${server.namespace}/configmaps?dryRun=All`, {
      body: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: map, labels: { 'webhooks.test/length': 'yes' } },
      },
    })
  expect((await server.call('POST', CONFIGURATIONS, { body })).status).toBe(201)
  try {
    await server.until('the webhook is called', async () => (await create('denied-0')).status === 403)
    await use(create)
  } finally {
    await server.call('DELETE', `${CONFIGURATIONS}/${name}`)
  }
}
