import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { writtenConditions } from './written-conditions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test.for(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])(
  'a %s with conditions is answered as kube-apiserver does',
  async (kind) => {
    const told: object[] = []
    for (const matchConditions of writtenConditions) {
      const { status, body } = await server.call(
        'POST',
        `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s?dryRun=All`,
        { body: configuration(kind, matchConditions) },
      )
      told.push({
        conditions: shown(matchConditions),
        status,
        ...(status !== 201 && { message: body.message, causes: body.details?.causes }),
      })
    }
    const file = new URL(`recorded/conditions-of-${kind.toLowerCase()}.json`, import.meta.url)
    await expect(`${JSON.stringify(told, undefined, 1)}\n`).toMatchFileSnapshot(file.pathname)
  },
)

test('conditions are checked when they are patched and applied', async () => {
  const kind = 'ValidatingWebhookConfiguration'
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`
  const name = `conditions-${server.namespace}`
  const right = { name: 'right', expression: 'request.dryRun' }
  const wrong = { name: 'wrong', expression: 'request.dryRun == "yes"' }
  const body = (condition: object) => ({
    ...configuration(kind, [condition]),
    metadata: { name },
  })
  expect((await server.call('POST', path, { body: body(right) })).status).toBe(201)
  try {
    const patched = await server.call('PATCH', `${path}/${name}`, {
      body: { webhooks: body(wrong).webhooks },
    })
    const applied = await server.call('PATCH', `${path}/${name}?fieldManager=test&force=true`, {
      body: body(wrong),
      contentType: 'application/apply-patch+yaml',
    })
    for (const answer of [patched, applied]) {
      expect(answer.status).toBe(422)
      expect(answer.body.message).toContain(
        "found no matching overload for '_==_' applied to '(bool, string)'",
      )
    }
  } finally {
    await server.call('DELETE', `${path}/${name}`)
  }
})

function configuration(kind: string, matchConditions: readonly object[]) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'conditions' },
    webhooks: [
      {
        name: 'conditions.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [
          {
            apiGroups: ['absent.example.com'],
            apiVersions: ['v1'],
            resources: ['absent'],
            operations: ['*'],
          },
        ],
        matchConditions,
      },
    ],
  }
}

/** Many conditions, shortened to their number. */
function shown(conditions: readonly object[]): readonly object[] | string {
  return conditions.length > 3 ? `${conditions.length} conditions` : conditions
}
