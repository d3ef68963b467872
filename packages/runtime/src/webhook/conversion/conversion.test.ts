import { customResourceDefinition, defineKind, schema as s } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { callWebhook } from '../../../test/review-call.ts'
import { MetricsRegistry } from '../../telemetry/index.ts'
import { webhookHandler } from '../review/webhook-handler.ts'
import { conversion } from './index.ts'

const names = { group: 'db.example.com', kind: 'Database' } as const
const status = s.object({ phase: s.string().optional() })
const V1 = defineKind({
  ...names,
  version: 'v1',
  spec: s.object({ address: s.string(), legacy: s.string().optional() }),
  status,
})
const V2 = defineKind({
  ...names,
  version: 'v2',
  spec: s.object({
    host: s.string(),
    port: s.integer().optional(),
    theme: s.object({ dark: s.boolean().optional(), name: s.string().optional() }).optional(),
  }),
  status,
})
const V3 = defineKind({
  ...names,
  version: 'v3',
  spec: s.object({ endpoint: s.object({ host: s.string(), port: s.integer().optional() }) }),
  status,
})

const databases = conversion(V2)
  .version(V1)
  .converts({
    toStored: ({ spec, status }) => {
      const [host = '', port] = spec.address.split(':')
      if (host === 'bad') throw new Error(`spec.address: ${spec.address} is bad`)
      if (host === 'broken') (undefined as unknown as { x(): void }).x()
      return { spec: { host, ...(port === undefined ? {} : { port: Number(port) }) }, status }
    },
    fromStored: ({ spec, status }) => ({
      spec: { address: spec.port === undefined ? spec.host : `${spec.host}:${spec.port}` },
      status,
    }),
    keeps: { stored: ['spec.theme'], version: ['spec.legacy'] },
  })
  .version(V3)
  .converts({
    toStored: ({ spec: { endpoint }, status }) => ({ spec: endpoint, status }),
    fromStored: ({ spec: { host, port }, status }) => ({ spec: { endpoint: { host, port } }, status }),
    keeps: { stored: ['spec.theme'] },
  })

const object = (version: string, spec: object, metadata: object = {}) => ({
  apiVersion: `db.example.com/${version}`,
  kind: 'Database',
  metadata: { name: 'a', uid: '1', resourceVersion: '5', ...metadata },
  spec,
})
const convert = (from: ReturnType<typeof object>, version: string) =>
  JSON.parse(JSON.stringify(databases.convert(from, `db.example.com/${version}`)))

describe('a conversion', () => {
  it('converts to the stored version, from it, and through it', () => {
    expect(convert(object('v1', { address: 'db:5432' }), 'v2')).toEqual(
      object('v2', { host: 'db', port: 5432 }),
    )
    expect(convert(object('v2', { host: 'db', port: 1 }), 'v1')).toEqual(object('v1', { address: 'db:1' }))
    expect(convert(object('v3', { endpoint: { host: 'db', port: 1 } }), 'v1')).toEqual(
      object('v1', { address: 'db:1' }),
    )
  })

  it('keeps fields that a version does not have in an annotation, and restores them', () => {
    const theme = { dark: true }
    const stored = object('v2', { host: 'db', theme }, { annotations: { note: 'x' } })
    const old = convert(stored, 'v1')
    expect(old).toEqual(
      object(
        'v1',
        { address: 'db' },
        { annotations: { note: 'x', 'conversion.db.example.com/v2': '{"spec.theme":{"dark":true}}' } },
      ),
    )
    expect(convert({ ...old, spec: { address: 'other' } }, 'v2')).toEqual(
      object('v2', { host: 'other', theme }, { annotations: { note: 'x' } }),
    )
    const legacy = object('v1', { address: 'db', legacy: 'yes' })
    const kept = convert(legacy, 'v2')
    expect(kept.metadata.annotations).toEqual({ 'conversion.db.example.com/v1': '{"spec.legacy":"yes"}' })
    expect(convert(kept, 'v1')).toEqual(legacy)
    const third = convert(legacy, 'v3')
    expect(convert(third, 'v1')).toEqual(legacy)
  })

  it('ignores an annotation that another client has damaged', () => {
    const broken = object('v1', { address: 'db' }, { annotations: { 'conversion.db.example.com/v2': 'x' } })
    expect(convert(broken, 'v2')).toEqual(object('v2', { host: 'db' }))
  })

  it('may change labels and annotations, and nothing else of the metadata', () => {
    const with_ = (metadata: object) =>
      conversion(V2)
        .version(V1)
        .converts({
          toStored: () => ({ spec: { host: 'x' }, metadata }),
          fromStored: () => ({ spec: { address: 'x' } }),
        })
    const to = (metadata: object) =>
      with_(metadata).convert(object('v1', { address: 'a' }), 'db.example.com/v2')
    expect(to({ labels: { a: 'b' } })).toMatchObject({
      metadata: { name: 'a', uid: '1', labels: { a: 'b' } },
    })
    expect(to({ name: 'a', annotations: { a: 'b' } })).toMatchObject({
      metadata: { annotations: { a: 'b' } },
    })
    expect(() => to({ name: 'b' })).toThrow('from v1 to v2 changes metadata.name')
    expect(() => to({ ownerReferences: [] })).toThrow('changes metadata.ownerReferences')
  })

  it('lists its versions for the definition of the kind', () => {
    const url = 'https://127.0.0.1:9443/convert'
    const { spec } = customResourceDefinition(databases.kinds, {
      stored: databases.stored.version,
      conversion: { url },
    })
    expect(spec.versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', false],
      ['v3', false],
      ['v2', true],
    ])
  })

  it.each<[what: string, define: () => unknown, message: RegExp]>([
    ['a version twice', () => databases.version(V1), /version v1 already/],
    ['the stored version again', () => databases.version(V2), /version v2 already/],
    [
      'a version of another kind',
      () => databases.version({ ...V3, kind: 'Other' }),
      /has the kind 'Other' instead of 'Database'/,
    ],
    [
      'two conversions of a kind',
      () => webhookHandler([databases, databases]),
      /two conversions of Database/,
    ],
  ])('refuses %s', (_, define, message) => {
    expect(define).toThrow(message)
  })
})

describe('a ConversionReview', () => {
  const Other = defineKind({ group: 'x.example.com', version: 'v1', kind: 'Other', spec: s.object({}) })
  const Other2 = defineKind({ group: 'x.example.com', version: 'v2', kind: 'Other', spec: s.object({}) })
  const others = conversion(Other2)
    .version(Other)
    .converts({
      toStored: () => ({ spec: {} }),
      fromStored: () => ({ spec: {} }),
    })
  const metrics = new MetricsRegistry()
  const handler = webhookHandler([databases, others], { metrics })
  const ask = (objects: unknown, desiredAPIVersion = 'db.example.com/v2') =>
    callWebhook(handler, '/convert', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'c-1', desiredAPIVersion, objects },
    })

  it('is answered with the objects in their order', async () => {
    const first = object('v1', { address: 'a:1' })
    const second = object('v3', { endpoint: { host: 'b' } })
    expect(await ask([first, second])).toEqual({
      status: 200,
      body: {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        response: {
          uid: 'c-1',
          convertedObjects: [object('v2', { host: 'a', port: 1 }), object('v2', { host: 'b' })],
          result: { metadata: {}, status: 'Success' },
        },
      },
    })
  })

  it('is answered for each kind at the same path', async () => {
    const other = { apiVersion: 'x.example.com/v1', kind: 'Other', metadata: { name: 'a' }, spec: {} }
    const { body } = await ask([other], 'x.example.com/v2')
    expect(body.response.convertedObjects).toEqual([{ ...other, apiVersion: 'x.example.com/v2' }])
  })

  it.each<[what: string, objects: unknown, version: string, message: string]>([
    [
      'an unknown version',
      [object('v1', {})],
      'v9',
      'no kind "Database" is registered for version "db.example.com/v9"',
    ],
    [
      'the same version',
      [object('v1', {})],
      'v1',
      'conversion is not allowed between same type Database of db.example.com/v1',
    ],
    ['an error of a converter', [object('v1', { address: 'bad' })], 'v2', 'spec.address: bad is bad'],
    [
      'an error on the way',
      [object('v1', { address: 'bad' })],
      'v3',
      'failed to convert spoke db.example.com/v1, Kind=Database to hub db.example.com/v2, Kind=Database : spec.address: bad is bad',
    ],
    [
      'a mistake of the code',
      [object('v1', { address: 'broken' })],
      'v2',
      'internal error occurred during conversion',
    ],
    ['an object without a kind', [{ a: 1 }], 'v2', `Object 'Kind' is missing in '{"a":1}'`],
  ])('fails as a whole by %s', async (_, objects, version, message) => {
    const { body } = await ask(objects, `db.example.com/${version}`)
    expect(body.response).toEqual({
      uid: 'c-1',
      convertedObjects: null,
      result: { metadata: {}, status: 'Failure', message },
    })
  })

  it('keeps whole numbers beyond 2^53 as they are', async () => {
    const review = {
      request: {
        uid: '1',
        desiredAPIVersion: 'db.example.com/v3',
        objects: [object('v2', { host: 'a', port: 1 })],
      },
    }
    const response = await handler({
      method: 'POST',
      path: '/convert',
      query: new URLSearchParams(),
      headers: {},
      body: new TextEncoder().encode(JSON.stringify(review).replace('"port":1', '"port":9007199254740993')),
    })
    expect(new TextDecoder().decode(response.body as Uint8Array)).toContain('"port":9007199254740993')
  })

  it('counts mistakes of the code', () => {
    expect(metrics.page()).toContain('controller_runtime_conversion_webhook_panics_total 1')
  })

  it.each(['', 'x', '[]', '{}', '{"request":5}', '{"request":{"objects":5}}'])(
    'that is not a ConversionReview, %j, is answered with 400 and no body',
    async (body) => {
      expect(await callWebhook(handler, '/convert', body)).toEqual({ status: 400, body: '' })
    },
  )
})
