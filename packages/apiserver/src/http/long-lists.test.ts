import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiServer } from '../server.ts'

let server: ApiServer
beforeAll(async () => {
  server = await ApiServer.start()
})
afterAll(() => server.close())

async function post(path: string, body: object): Promise<{ code: number; message: string }> {
  const { status, body: bytes } = await server.handler({
    method: 'POST',
    path,
    query: new URLSearchParams('dryRun=All'),
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(body)),
  })
  const { message = '' } = JSON.parse(new TextDecoder().decode(bytes as Uint8Array)) as { message?: string }
  return { code: status, message }
}

test('a rule about one of very many values is checked', async () => {
  // More than fit on the stack as arguments of one call.
  const values = Array.from({ length: 128_000 }, (_, index) => index.toString(36))
  const spec = { type: 'string', enum: values, 'x-kubernetes-validations': [{ rule: "self != 'a'" }] }
  const outcome = await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'longs.test.dev' },
    spec: {
      group: 'test.dev',
      scope: 'Cluster',
      names: { plural: 'longs', singular: 'long', kind: 'Long', listKind: 'LongList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  })
  expect(outcome).toEqual({ code: 201, message: '' })
})
