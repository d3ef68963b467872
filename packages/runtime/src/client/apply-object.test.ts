import { deepFreeze, type KubernetesObject } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { configMap, ConfigMap, failure, json, ScriptedApi, Widget } from '../../test/scripted-api.ts'
import { scriptedClient } from '../../test/scripted-client.ts'
import { ApplyMemory } from '../apply/index.ts'
import { recordRules } from '../rules/record-rules.ts'
import { applyObject, type ApplyContext } from './apply-object.ts'
import { createClient } from './create-client.ts'

const key = { namespace: 'default', name: 'a' }
const notFound = failure(404, 'NotFound', { name: 'a', kind: 'configmaps' }, {}, 'configmaps "a" not found')

describe('apply', () => {
  const document = { metadata: key, data: { cpu: '1000m' } }
  const fieldsV1 = { 'f:data': { 'f:cpu': {} } }
  const stored = (cpu: string, version: string, rest: object = {}): KubernetesObject => {
    const object = configMap('a', version, { data: { cpu } })
    const managedFields = [{ manager: 'me', operation: 'Apply' as const, apiVersion: 'v1', fieldsV1 }]
    return { ...object, metadata: { ...object.metadata, managedFields, ...rest } }
  }
  function withGpu(): KubernetesObject {
    const object = stored('1', '6', {
      managedFields: [
        { manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:data': { 'f:gpu': {} } } },
      ],
    })
    return { ...object, data: { cpu: '1', gpu: '1' } } as KubernetesObject
  }
  const patches = (api: ScriptedApi) => api.described().filter((request) => request.startsWith('PATCH'))

  it('sends the document when there is no object yet', async () => {
    const api = new ScriptedApi().next(notFound).next(json(stored('1000m', '5'), 201))
    await scriptedClient(api).client.apply(ConfigMap, document)
    expect(patches(api)).toEqual(['PATCH /api/v1/namespaces/default/configmaps/a?force=true&fieldManager=me'])
    expect(api.requests[1]!.headers['content-type']).toBe('application/apply-patch+yaml')
    expect(api.bodyOf(1)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', ...document })
  })

  it.each([
    ['takes fields from others where nothing is said', undefined, {}, true],
    ['does not take them with force: false', undefined, { force: false }, false],
    ['does not take them where the client says so', false, {}, false],
    ['takes them where the write says so and the client does not', false, { force: true }, true],
  ])('%s: itself, of a status and of a scale', async (_, force, options, forced) => {
    const api = new ScriptedApi().otherwise(notFound)
    const { transport, clock } = scriptedClient(api)
    const client = createClient({ transport, clock, force })
    await client.apply(ConfigMap, document, options).catch(() => {})
    await client.status.apply(Widget, key, { phase: 'Failed' }, options).catch(() => {})
    await client.scale.apply(Widget, key, { replicas: 1 }, options).catch(() => {})
    expect(patches(api)).toHaveLength(3)
    expect(patches(api).map((patch) => patch.includes('force=true'))).toEqual([forced, forced, forced])
    expect(api.described().join()).not.toContain('force=false')
  })

  it('sends nothing when the object and its managed fields hold exactly this', async () => {
    const api = new ScriptedApi().next(json(stored('1000m', '5')))
    const object = await scriptedClient(api).client.apply(ConfigMap, document)
    expect(object.metadata.resourceVersion).toBe('5')
    expect(patches(api)).toEqual([])
  })

  it('compares an object of the cache once for a document, and again for another document or manager', async () => {
    const sent: string[] = []
    let comparisons = 0
    const live = deepFreeze({
      ...stored('1000m', '5'),
      get data() {
        comparisons++
        return { cpu: '1000m' }
      },
    }) as KubernetesObject
    const context = {
      memory: new ApplyMemory(new Map()),
      fieldManager: 'me',
      force: true,
      reader: { get: () => Promise.resolve(live) },
      writer: {
        write: ({ body, options }: { body: unknown; options: { fieldManager?: string } }) => {
          sent.push(`${options.fieldManager ?? 'me'} ${JSON.stringify(body)}`)
          return Promise.resolve(live)
        },
      },
    } as unknown as ApplyContext
    await applyObject(context, ConfigMap, key, document)
    const afterFirst = comparisons
    await applyObject(context, ConfigMap, key, structuredClone(document))
    expect(sent).toEqual([])
    expect(comparisons).toBe(afterFirst)
    await applyObject(context, ConfigMap, key, { ...document, data: { cpu: '2' } })
    await applyObject(context, ConfigMap, key, document, { fieldManager: 'you' })
    expect(sent.map((text) => text.split(' ')[0])).toEqual(['me', 'you'])
  })

  it('sends nothing the second time although the server writes a value in another form', async () => {
    const api = new ScriptedApi().next(notFound).otherwise(json(stored('1', '5')))
    const { client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    await client.apply(ConfigMap, structuredClone(document))
    expect(patches(api)).toHaveLength(1)
  })

  it('sends nothing the second time where the document names the version that it is meant for', async () => {
    const api = new ScriptedApi().next(notFound).otherwise(json(stored('1', '5')))
    const { client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    const metadata = { ...document.metadata, resourceVersion: '5' }
    await client.apply(ConfigMap, { ...document, metadata })
    expect(patches(api)).toHaveLength(1)
    await client.apply(ConfigMap, { ...document, metadata: { ...metadata, resourceVersion: '4' } })
    expect(patches(api)).toHaveLength(2)
  })

  it('sends a document that names the version before its own write, which the server refuses', async () => {
    let live = deepFreeze(stored('1', '5'))
    let sent = 0
    const context = {
      memory: new ApplyMemory(new Map()),
      fieldManager: 'me',
      force: true,
      reader: { get: () => Promise.resolve(live) },
      writer: {
        write: () => {
          sent++
          return Promise.resolve((live = deepFreeze(stored('2', '6'))))
        },
      },
    } as unknown as ApplyContext
    const meant = { metadata: { ...key, resourceVersion: '5' }, data: { cpu: '2' } }
    await applyObject(context, ConfigMap, key, meant)
    await applyObject(context, ConfigMap, key, meant)
    expect(sent).toBe(2)
    await applyObject(context, ConfigMap, key, { ...meant, metadata: { ...key, resourceVersion: '6' } })
    expect(sent).toBe(2)
  })

  it('remembers this for every client of the same server', async () => {
    const api = new ScriptedApi().next(notFound).otherwise(json(stored('1', '5')))
    const { transport, clock, client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    await createClient({ transport, clock, fieldManager: 'me' }).apply(ConfigMap, document)
    expect(patches(api)).toHaveLength(1)
    await createClient({ transport, clock, fieldManager: 'other' }).apply(ConfigMap, document)
    expect(patches(api)).toHaveLength(2)
  })

  it('remembers this also for a client that wraps the transport of another one', async () => {
    const api = new ScriptedApi().next(notFound).otherwise(json(stored('1', '5')))
    const { transport, clock, client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    const wrapped = createClient({ transport: recordRules(transport), clock, fieldManager: 'me' })
    await wrapped.apply(ConfigMap, document)
    expect(patches(api)).toHaveLength(1)
  })

  it.each<[string, KubernetesObject]>([
    ['the value was changed since', stored('2', '6')],
    ['the object was recreated since', stored('1', '6', { uid: 'another' })],
    ['other fields are owned', withGpu()],
    ['the fields are no longer owned', stored('1', '6', { managedFields: [] })],
  ])('sends it again when %s', async (_, now) => {
    const api = new ScriptedApi()
      .next(notFound)
      .next(json(stored('1', '5')))
      .otherwise(json(now))
    const { client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    await client.apply(ConfigMap, document)
    expect(patches(api)).toHaveLength(2)
  })

  it('sends another document, and the first one after it', async () => {
    const api = new ScriptedApi().next(notFound).otherwise(json(stored('1', '5')))
    const { client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    await client.apply(ConfigMap, { ...document, data: { cpu: '1.0' } })
    await client.apply(ConfigMap, document)
    expect(patches(api)).toHaveLength(3)
  })

  it('sends nothing when only fields of other managers have changed', async () => {
    const others = { labels: { team: 'x' }, resourceVersion: '9' }
    const api = new ScriptedApi()
      .next(notFound)
      .next(json(stored('1', '5')))
      .next(json(stored('1', '9', others)))
    const { client } = scriptedClient(api)
    await client.apply(ConfigMap, document)
    expect(await client.apply(ConfigMap, document)).toMatchObject({ metadata: { resourceVersion: '9' } })
    expect(patches(api)).toHaveLength(1)
  })

  it('always sends a dry run, and remembers nothing of it', async () => {
    const api = new ScriptedApi().otherwise(json(stored('1000m', '5')))
    await scriptedClient(api).client.apply(ConfigMap, document, { dryRun: true })
    expect(api.described()).toEqual([
      'PATCH /api/v1/namespaces/default/configmaps/a?force=true&fieldManager=me&dryRun=All',
    ])
  })

  it('sends a document with another uid, and lets the server decide', async () => {
    const api = new ScriptedApi().otherwise(json(stored('1000m', '5')))
    await scriptedClient(api).client.apply(ConfigMap, { ...document, metadata: { ...key, uid: 'another' } })
    expect(patches(api)).toHaveLength(1)
  })

  it('of the status sends only that, and only when it differs', async () => {
    const widget = {
      ...configMap('a', '5'),
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      status: { phase: 'Ready', seen: 3 },
    }
    const managedFields = [
      {
        manager: 'me',
        operation: 'Apply',
        apiVersion: 'example.com/v1',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:phase': {} } },
      },
    ]
    const is = { ...widget, metadata: { ...widget.metadata, managedFields } }
    const api = new ScriptedApi().otherwise(json(is))
    const { client } = scriptedClient(api)
    await client.status.apply(Widget, key, { phase: 'Ready' })
    expect(patches(api)).toEqual([])
    await client.status.apply(Widget, key, { phase: 'Failed' })
    expect(patches(api)).toEqual([
      'PATCH /apis/example.com/v1/namespaces/default/widgets/a/status?force=true&fieldManager=me',
    ])
    expect(api.bodyOf(-1)).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: key,
      status: { phase: 'Failed' },
    })
  })
})
