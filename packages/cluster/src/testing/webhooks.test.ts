import { ConfigMap } from '@homeostat/api/kinds'
import { admission, controller, defineKind, invalid, schema as s } from 'homeostat'
import { describe, expect, it } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const Page = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Page',
  scope: 'Namespaced',
  spec: s.object({ title: s.string(), color: s.string().optional() }),
})

const pages = controller('pages')
  .for(Page)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client }) => {
    const page = await client.get(Page, request)
    if (!page) return
    await client.apply(ConfigMap, { metadata: request, data: { color: page.spec.color ?? 'none' } })
  })

const pageAdmission = admission(Page)
  .defaults((page) => ({ spec: { color: page.spec.color ?? 'blue' } }))
  .validates({
    create: (page) => (page.spec.title === '' ? [invalid('spec.title', 'must not be empty')] : []),
  })

function start() {
  return OperatorTest.start({ kinds: [Page], controllers: [pages], webhooks: [pageAdmission] })
}

describe('webhooks of an OperatorTest', () => {
  it('default what the operator then sees', async () => {
    await using test = await start()
    const page = await test.client.create(Page, {
      metadata: { namespace: 'default', name: 'a' },
      spec: { title: 'A' },
    })
    expect(page.spec.color).toBe('blue')
    await test.settle()
    const map = await test.client.get(ConfigMap, { namespace: 'default', name: 'a' })
    expect(map?.data).toEqual({ color: 'blue' })
  })

  it('refuse with the causes of the fields', async () => {
    await using test = await start()
    const creating = test.client.create(Page, {
      metadata: { namespace: 'default', name: 'a' },
      spec: { title: '' },
    })
    await expect(creating).rejects.toMatchObject({
      status: {
        code: 422,
        reason: 'Invalid',
        details: { causes: [{ field: 'spec.title', message: 'Invalid value: "": must not be empty' }] },
      },
    })
  })

  it('may be added to the manager by setup, as in production', async () => {
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      setup: (manager) => manager.addWebhooks([pageAdmission], { port: 9443 }),
    })
    const object = { metadata: { namespace: 'default', name: 'a' }, spec: { title: 'A' } }
    expect((await test.client.create(Page, object)).spec.color).toBe('blue')
    await test.restart()
    const other = { ...object, metadata: { namespace: 'default', name: 'b' } }
    expect((await test.client.create(Page, other)).spec.color).toBe('blue')
  })

  it('cannot be reached while the operator is down, as on a cluster', async () => {
    await using test = await start()
    await test.stop()
    const object = { metadata: { namespace: 'default', name: 'a' }, spec: { title: 'A' } }
    await expect(test.client.create(Page, object)).rejects.toThrow('connection refused')
    await test.start()
    await test.client.create(Page, object)
    test.kill()
    const other = { ...object, metadata: { namespace: 'default', name: 'b' } }
    await expect(test.client.create(Page, other)).rejects.toThrow('connection refused')
  })
})
