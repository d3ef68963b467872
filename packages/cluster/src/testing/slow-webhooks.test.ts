import { ConfigMap } from '@homeostat/api/kinds'
import { admission, controller, defineKind, invalid, schema as s, type AdmissionOptions } from 'homeostat'
import { describe, expect, it } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const Page = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Page',
  scope: 'Namespaced',
  spec: s.object({ title: s.string() }),
})

/** Copies each page to a ConfigMap. */
const pages = controller('pages')
  .for(Page)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client }) => {
    const page = await client.get(Page, request)
    if (!page) return
    await client.apply(ConfigMap, { metadata: request, data: { title: page.spec.title } })
  })

/** Sleeps before it answers for a page. */
function slowPages(seconds: number, options: AdmissionOptions = {}) {
  return admission(Page).validates(
    {
      async create(page, { clock, signal }) {
        await clock.sleep(seconds * 1_000, { signal })
        return page.spec.title === '' ? [invalid('spec.title', 'must not be empty')] : []
      },
    },
    options,
  )
}

function page(name: string, title = 'A') {
  return { metadata: { namespace: 'default', name }, spec: { title } }
}

/** The state of a request. */
function follow(request: Promise<unknown>): { state: string } {
  const followed = { state: 'under way' }
  request.then(
    () => (followed.state = 'done'),
    (error: Error) => (followed.state = error.message),
  )
  return followed
}

const LATE =
  'Internal error occurred: failed calling webhook "validate.pages.example.com": failed to call webhook: Post "https://operator.example.com/validate-example-com-v1-page?timeout=10s": context deadline exceeded'

describe('a webhook of an OperatorTest that takes time', () => {
  it('answers when the test has let that time pass', async () => {
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      webhooks: [slowPages(2)],
    })
    const [good, bad] = [
      follow(test.client.create(Page, page('good'))),
      follow(test.client.create(Page, page('bad', ''))),
    ]
    await test.advance('1999ms')
    expect([good.state, bad.state]).toEqual(['under way', 'under way'])
    await test.advance('1ms')
    expect(good.state).toBe('done')
    expect(bad.state).toContain('must not be empty')
    expect(await test.client.get(ConfigMap, { namespace: 'default', name: 'good' })).toBeDefined()
  })

  it('fails the request after the time limit of its configuration', async () => {
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      webhooks: [slowPages(11)],
    })
    const creating = follow(test.client.create(Page, page('a')))
    await test.advance('9999ms')
    expect(creating.state).toBe('under way')
    await test.advance('1ms')
    expect(creating.state).toContain(LATE)
    await test.advance('1m')
    expect(await test.client.get(Page, { namespace: 'default', name: 'a' })).toBeUndefined()
  })

  it('is ignored after the time limit where its failure policy says so', async () => {
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      webhooks: [slowPages(11, { failurePolicy: 'Ignore', timeoutSeconds: 5 })],
    })
    const creating = follow(test.client.create(Page, page('a')))
    await test.advance('4999ms')
    expect(creating.state).toBe('under way')
    await test.advance('1ms')
    expect(creating.state).toBe('done')
  })

  it('holds time up while it reads through its client', async () => {
    const seen: number[] = []
    const reading = admission(Page).validates({
      async create(_page, { client, clock }) {
        const began = clock.monotonic()
        for (let read = 0; read < 200; read++) await client.live.list(ConfigMap, { namespace: 'default' })
        seen.push(clock.monotonic() - began)
        await clock.sleep(1_000)
        await client.live.list(ConfigMap, { namespace: 'default' })
        seen.push(clock.monotonic() - began)
        return []
      },
    })
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      webhooks: [reading],
      rights: 'all',
    })
    const creating = follow(test.client.create(Page, page('a')))
    await test.advance('1h')
    expect(creating.state).toBe('done')
    expect(seen).toEqual([0, 1_000])
  })

  it('lets time pass for the reconcile that waits for it, and for no other', async () => {
    const slowMaps = admission(ConfigMap).validates({
      async create(_map, { clock }) {
        await clock.sleep(3_000)
        return []
      },
    })
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      webhooks: [slowMaps],
    })
    await test.client.create(Page, page('a'))
    await test.client.create(Page, page('b'))
    await test.advance('2999ms')
    expect(test.reports).toEqual([])
    await test.advance('3001ms')
    expect(test.reports.filter(({ result }) => result === 'success').length).toBeGreaterThanOrEqual(2)
    expect(await test.client.list(ConfigMap, { namespace: 'default' })).toHaveLength(2)
  })

  it('has a separate time limit for each of two requests at once', async () => {
    const byTitle = admission(Page).validates({
      async create({ spec }, { clock, signal }) {
        await clock.sleep(Number(spec.title) * 1_000, { signal })
        return []
      },
    })
    await using test = await OperatorTest.start({ kinds: [Page], controllers: [pages], webhooks: [byTitle] })
    const [two, eleven] = ['2', '11'].map((title) =>
      follow(test.client.create(Page, page(`p${title}`, title))),
    )
    await test.advance('2s')
    expect([two!.state, eleven!.state]).toEqual(['done', 'under way'])
    await test.advance('8s')
    expect(eleven!.state).toContain(LATE)
  })

  it('does not keep the test from ending', async () => {
    const test = await OperatorTest.start({ kinds: [Page], controllers: [pages], webhooks: [slowPages(5)] })
    const creating = follow(test.client.create(Page, page('a')))
    await test.advance('1s')
    await test.close()
    expect(creating.state).toContain('closed')
  })

  it('cannot answer any more once its process was killed', async () => {
    await using test = await OperatorTest.start({
      kinds: [Page],
      controllers: [pages],
      webhooks: [slowPages(5)],
    })
    const creating = follow(test.client.create(Page, page('a')))
    await test.advance('1s')
    await test.crash()
    await test.settle()
    expect(creating.state).toContain('EOF')
  })
})
