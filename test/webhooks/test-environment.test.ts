import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  admission,
  createClient,
  defineKind,
  directTransport,
  invalid,
  schema as s,
  webhookConfigurations,
  webhookHandler,
} from 'homeostat'
import { describe, expect, it } from 'vitest'

const Page = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ title: s.string(), color: s.string().optional() }),
})

const pages = admission(Page)
  .defaults(({ spec }) => ({ spec: { color: spec.color ?? 'blue' } }))
  .validates({
    async create({ spec }, { clock, signal }) {
      if (spec.title === 'slow') await clock.sleep(11_000, { signal })
      return spec.title === '' ? [invalid('spec.title', 'must not be empty')] : []
    },
  })

async function start() {
  const environment = await TestEnvironment.start({ kinds: [Page] })
  const { clock, webhookClientConfig: clientConfig } = environment
  await environment.mountWebhooks(
    webhookHandler([pages], { clock }),
    webhookConfigurations([pages], { name: 'pages', clientConfig }),
  )
  const client = createClient({ transport: directTransport(environment.handler, { clock }), clock })
  const create = (name: string, title: string) =>
    client.create(Page, { metadata: { namespace: 'default', name }, spec: { title } })
  return { environment, create, [Symbol.asyncDispose]: () => environment.close() }
}

describe('webhooks of a TestEnvironment', () => {
  it('default and validate objects without a port or a certificate', async () => {
    await using test = await start()
    expect((await test.create('a', 'A')).spec.color).toBe('blue')
    await expect(test.create('b', '')).rejects.toMatchObject({
      status: { code: 422, details: { causes: [{ field: 'spec.title' }] } },
    })
    expect(test.environment.writes.map(({ verb }) => verb)).toEqual(['create', 'create'])
  })

  it('run into their time limit in simulated time', async () => {
    await using test = await start()
    const creating = test.create('a', 'slow').catch((error: Error) => error.message)
    await test.environment.advance('10s')
    expect(await creating).toMatch(/context deadline exceeded/)
  })

  it('are refused with the reason of the server where a configuration is wrong', async () => {
    await using environment = await TestEnvironment.start({ kinds: [Page] })
    const { webhookClientConfig: clientConfig } = environment
    const { validating } = webhookConfigurations([pages], { name: 'Not A Name', clientConfig })
    await expect(environment.mountWebhooks(webhookHandler([pages]), { validating })).rejects.toMatchObject({
      code: 'WEBHOOKS_NOT_INSTALLED',
      message: expect.stringContaining('metadata.name') as string,
    })
  })
})
