import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

// Unusual parts of the sample objects of well-known projects, which `npm test crds` found.

const GROUP = 'samples.example.com'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A kind whose template takes any field, and yet declares some. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `sheds.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'sheds', kind: 'Shed' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  color: { type: 'string' },
                  template: {
                    type: 'object',
                    'x-kubernetes-preserve-unknown-fields': true,
                    properties: {
                      shelves: {
                        type: 'array',
                        items: { type: 'object', properties: { name: { type: 'string' } } },
                      },
                    },
                  },
                },
              },
              status: {
                type: 'object',
                properties: { visits: { type: 'array', items: { type: 'string' } } },
              },
            },
          },
        },
      },
    ],
  },
}

const PATH = `/apis/${GROUP}/v1/~/sheds`
const shed = (name: string, fields: object): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Shed',
  metadata: { name },
  ...fields,
})
const apply = (say: string, name: string, body: object, query = ''): Step => ({
  say,
  method: 'PATCH',
  path: `${PATH}/${name}?fieldManager=me${query}`,
  contentType: 'application/apply-patch+yaml',
  body,
})
const template = (...shelves: object[]): object => ({ spec: { template: { roof: 'flat', shelves } } })

const conversations: Record<string, Step[]> = {
  'unknown-fields-below-free-ones': [
    { say: 'made without any', method: 'POST', path: PATH, body: shed('a', template({ name: 'x' })) },
    {
      say: 'a merge patch with some, and a warning',
      method: 'PATCH',
      path: `${PATH}/a?fieldValidation=Warn`,
      body: template({ name: 'x', depth: 1 }),
    },
    apply('with a warning', 'b', shed('b', template({ name: 'x', depth: 1 })), '&fieldValidation=Warn'),
    apply('strictly', 'c', shed('c', template({ name: 'y', depth: 1 })), '&fieldValidation=Strict'),
    { say: 'what was stored', method: 'GET', path: `${PATH}/c` },
  ],
  'unknown-fields-with-quotes': [
    {
      say: 'of a custom object, warned about',
      method: 'POST',
      path: `${PATH}?fieldValidation=Warn&dryRun=All`,
      body: shed('d', { spec: { 'say "hi"\\': 1, other: { a: 1 } } }),
    },
    {
      say: 'of a custom object, refused',
      method: 'POST',
      path: `${PATH}?fieldValidation=Strict&dryRun=All`,
      body: shed('d', { spec: { 'say "hi"\\': 1, other: { a: 1 } } }),
    },
    {
      say: 'of a native object, warned about',
      method: 'POST',
      path: '/api/v1/~/configmaps?fieldValidation=Warn&dryRun=All',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, 'say "hi"\\': 1 },
    },
    {
      say: 'of a native object, refused',
      method: 'POST',
      path: '/api/v1/~/configmaps?fieldValidation=Strict&dryRun=All',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, 'say "hi"\\': 1 },
    },
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call('POST', DEFINITIONS, { body: definition })
  await server.until('sheds are served', async () => {
    const path = `/apis/${GROUP}/v1/namespaces/${server.namespace}/sheds`
    const body = shed('probe', { spec: { color: 1 } })
    return (await server.call('POST', `${path}?dryRun=All`, { body })).status === 422
  })
})
afterAll(async () => {
  await server?.call('DELETE', `${DEFINITIONS}/sheds.${GROUP}`)
  await server?.close()
})

test.for(Object.entries(conversations))('%s are answered as Kubernetes does', async ([title, steps]) => {
  const snapshot = new URL(`recorded/samples-${title}.json`, import.meta.url).pathname
  await expect(await transcript(server, steps)).toMatchFileSnapshot(snapshot)
})
