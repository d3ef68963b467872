import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { isNativeGroup } from './native-groups.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const GROUP = 'openapi.example.com'
/** A definition with everything that its document writes out. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      shortNames: ['wd'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            description: 'What a shop has many of.',
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                description: 'What is wanted.\nIn two lines.',
                type: 'object',
                required: ['color'],
                properties: {
                  replicas: { type: 'integer', format: 'int32', default: 1, minimum: 0, maximum: 10 },
                  color: { type: 'string', enum: ['red', 'green'], maxLength: 5, pattern: '^[a-z]+$' },
                  size: { 'x-kubernetes-int-or-string': true },
                  sizes: {
                    type: 'array',
                    items: {
                      anyOf: [{ type: 'integer' }, { type: 'string' }],
                      'x-kubernetes-int-or-string': true,
                    },
                  },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  template: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, value: { type: 'string', nullable: true } },
                    },
                  },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                },
                'x-kubernetes-validations': [{ rule: 'self.replicas >= 0', message: 'too few' }],
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

/** The same value however its keys are ordered. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, ordered(part)]))
}

function hashOf(document: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(document)))
    .digest('hex')
    .slice(0, 16)
}

async function addresses(): Promise<Record<string, string>> {
  const { body } = await server.call('GET', '/openapi/v3', { accept: '*/*' })
  const { paths } = typeof body === 'string' ? JSON.parse(body) : body
  return Object.fromEntries(
    Object.entries<any>(paths).map(([address, { serverRelativeURL }]) => [address, serverRelativeURL]),
  )
}

/** A value as text, one line for each part of it. */
function lines(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}
`
}

/** The file that holds what a real server answered. */
function recorded(name: string): string {
  return new URL(`recorded/${name}.json`, import.meta.url).pathname
}

describe('OpenAPI v3', () => {
  test('is the same for every native group and version, to the last description', async () => {
    const { body: discovery } = await server.call('GET', '/apis')
    const native = discovery.groups
      .filter(({ name }: any) => isNativeGroup(name))
      .flatMap(({ versions }: any) => versions.map(({ groupVersion }: any) => `apis/${groupVersion}`))
    // A new server writes them one after the other.
    const all: Record<string, string> = await server.until('the documents of all versions', async () => {
      const known = await addresses()
      return native.every((address: string) => address in known) && known
    })
    const hashes: Record<string, string> = {}
    for (const [address, url] of Object.entries(all)) {
      // `apis/apps/v1`, or an address that is of no group.
      const [apis, group = ''] = address.split('/')
      if (apis === 'apis' && !isNativeGroup(group)) continue
      const { status, body } = await server.call('GET', url)
      expect([address, status]).toEqual([address, 200])
      hashes[address] = hashOf(body)
    }
    await expect(lines(hashes)).toMatchFileSnapshot(recorded('openapi-documents'))
  })

  test('is the same for a kind that a definition brings', async () => {
    await server.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition })
    try {
      for (const version of ['v1', 'v1alpha1']) {
        const document = await server.until(`the document of ${version}`, async () => {
          const url = (await addresses())[`apis/${GROUP}/${version}`]
          if (url === undefined) return false
          const { status, body } = await server.call('GET', url)
          return status === 200 && body
        })
        const { 'com.example.openapi.v1.Widget': widget } = document.components.schemas
        if (widget) await expect(lines(ordered(widget))).toMatchFileSnapshot(recorded('openapi-widget'))
        await expect(
          lines({
            hash: hashOf(document),
            paths: Object.keys(document.paths),
          }),
        ).toMatchFileSnapshot(recorded(`openapi-custom-${version}`))
      }
    } finally {
      await server.call('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${GROUP}`)
    }
  })

  test.for([
    ['4-parts.open-api.example.com', 'Widget', 'PartsOpenApiExampleCom', 'PartsOpenApiExampleCom'],
    ['open-api.x-k8s.io', 'Wid-Get', 'OpenApiXK8sIo', 'openApiXK8sIo'],
    ['open.api.k8s.io', 'Widget', 'OpenApi', 'openApi'],
  ] as const)('has operation ids without punctuation in %s', async ([group, kind, words, tag]) => {
    const [version] = definition.spec.versions
    const body = {
      ...definition,
      metadata: {
        name: `widgets.${group}`,
        annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
      },
      spec: { ...definition.spec, group, names: { plural: 'widgets', kind }, versions: [version] },
    }
    await server.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body })
    try {
      const document = await server.until('the document', async () => {
        const answer = await server.call('GET', `/openapi/v3/apis/${group}/v1`)
        return answer.status === 200 && answer.body
      })
      const { get } = document.paths[`/apis/${group}/v1/widgets`]
      expect([get.operationId, get.tags]).toEqual([
        `list${words}V1${kind.replace('-', '')}ForAllNamespaces`,
        [`${tag}_v1`],
      ])
    } finally {
      await server.call('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${group}`)
    }
  })

  test('has articles that fit the kind', async () => {
    const group = 'articles.example.com'
    const [version] = definition.spec.versions
    const kinds = ['Axle', 'Idea', 'hut', 'Class', 'Settings']
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    for (const kind of kinds) {
      const plural = `${kind.toLowerCase()}x`
      const spec = { ...definition.spec, group, names: { plural, kind }, versions: [version] }
      const body = { ...definition, metadata: { name: `${plural}.${group}` }, spec }
      expect((await server.call('POST', definitions, { body })).status).toBe(201)
    }
    try {
      const descriptions = await server.until('the document with all kinds', async () => {
        const { body } = await server.call('GET', `/openapi/v3/apis/${group}/v1`)
        const of = (kind: string) =>
          body.paths?.[`/apis/${group}/v1/namespaces/{namespace}/${kind.toLowerCase()}x`]?.post?.description
        return kinds.every(of) && kinds.map(of)
      })
      expect(descriptions).toEqual([
        'create an Axle',
        'create an Idea',
        'create a hut',
        'create a Class',
        'create Settings',
      ])
    } finally {
      for (const kind of kinds) await server.call('DELETE', `${definitions}/${kind.toLowerCase()}x.${group}`)
    }
  })

  test('may be kept for ever under its hash, and leads from an old one to the new', async () => {
    const url = (await addresses())['apis/apps/v1']!
    const { headers } = await server.call('GET', url)
    expect(headers['cache-control']).toMatch(/^public, immutable/)
    expect((await server.call('GET', url, { headers: { 'if-none-match': headers['etag']! } })).status).toBe(
      304,
    )
    const old = await server.call('GET', '/openapi/v3/apis/apps/v1?hash=OLD')
    expect([old.status, old.headers['location']]).toEqual([301, url])
    const plain = await server.call('GET', '/openapi/v3/apis/apps/v1')
    expect(plain.headers['cache-control']).toBe('no-cache, private')
  })
})
