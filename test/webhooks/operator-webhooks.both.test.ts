import {
  admission,
  defineKind,
  denied,
  invalid,
  required,
  schema as s,
  webhookConfigurations,
  type ApiError,
  type Webhook,
} from 'homeostat'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { serveWebhooks, type ServedWebhooks } from './served-webhooks.ts'

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'
const GROUP = `w${crypto.randomUUID().slice(0, 8)}.example.com`

const Book = defineKind({
  group: GROUP,
  version: 'v1',
  kind: 'Book',
  spec: s.object({
    title: s.string(),
    language: s.string().optional(),
    copies: s.integer().optional(),
    shelf: s.string().optional(),
  }),
  status: s.object({ lent: s.integer() }),
})

/** The requests that the webhooks got, in order. */
const asked: string[] = []

const books = admission(Book)
  .defaults(({ spec }, { request }) => {
    asked.push(`defaults ${request.operation} ${request.name}${request.dryRun ? ' dry run' : ''}`)
    return { spec: { copies: spec.copies ?? 3 } }
  })
  .validates({
    create({ spec }, { request, warn }) {
      asked.push(`validates ${request.operation} ${request.name}${request.dryRun ? ' dry run' : ''}`)
      if (spec.language === 'la') warn('spec.language: few people read Latin')
      return [
        ...(spec.title === '' ? [required('spec.title', 'every book has one')] : []),
        ...((spec.copies ?? 0) > 10 ? [invalid('spec.copies', 'must be at most 10')] : []),
      ]
    },
    update: (book, old) =>
      book.spec.language === old.spec.language ? [] : [invalid('spec.language', 'is printed on the cover')],
    delete: ({ metadata }, { request }) =>
      metadata.labels?.['lent'] === 'true' ? denied(`${request.name} is lent`) : undefined,
  })

/** Sees what `books` leaves, and puts books with many copies on another shelf: which `first` then sees. */
const shelves = [
  admission(Book)
    .subresource('status')
    .validates({
      update: ({ status }) =>
        (status?.lent ?? 0) < 0 ? [invalid('status.lent', 'must not be negative')] : [],
    }),
  admission(Book).defaults(
    ({ spec }) => {
      asked.push(`first sees ${spec.shelf ?? 'no shelf'}`)
      return {}
    },
    {
      name: `a-first.${GROUP}`,
      path: '/first',
      reinvocationPolicy: 'IfNeeded',
      matchConditions: [{ name: 'rare', expression: `object.spec.title.startsWith('Rare')` }],
    },
  ),
  admission(Book).defaults(() => ({ spec: { shelf: 'top' } }), {
    name: `b-second.${GROUP}`,
    path: '/second',
    matchConditions: [{ name: 'rare', expression: `object.spec.title.startsWith('Rare')` }],
  }),
]

/** Never answer in time. They are called for objects that have their name as a label. */
const late = (['Fail', 'Ignore'] as const).map((failurePolicy) => {
  const name = `late-${failurePolicy.toLowerCase()}`
  return admission(Book).validates(
    {
      create: (_book, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
    {
      name: `${name}.${GROUP}`,
      path: `/${name}`,
      failurePolicy,
      timeoutSeconds: 1,
      objectSelector: { matchLabels: { test: name } },
    },
  )
})

/** Has a mistake. */
const mistaken = admission(Book).validates(
  {
    create: ({ spec }) => (spec as { author?: string }).author!.length as never,
  },
  {
    name: `mistaken.${GROUP}`,
    path: '/mistaken',
    failurePolicy: 'Ignore',
    objectSelector: { matchLabels: { test: 'mistaken' } },
  },
)

const all = [books, ...shelves, ...late, mistaken]

let server: TestServer
let served: ServedWebhooks
const installed: string[] = []

beforeAll(async () => {
  server = await startTestServer({ kinds: [Book] })
  served = await serveWebhooks(all, server.transport)
  await install(all, served.clientConfig)
})
afterAll(async () => {
  for (const path of installed) await server.call('DELETE', path)
  await served?.[Symbol.asyncDispose]()
  await server?.close()
})

/** Creates the configurations, and waits until the server calls the last webhook of each. */
async function install(webhooks: readonly Webhook[], clientConfig: ServedWebhooks['clientConfig']) {
  const name = server.namespace
  for (const [type, configuration] of Object.entries(
    webhookConfigurations(webhooks, { name, clientConfig }),
  )) {
    const path = `${CONFIGURATIONS}/${type}webhookconfigurations`
    const { status } = await server.call('POST', path, { body: configuration })
    expect(status).toBe(201)
    installed.push(`${path}/${name}`)
  }
  await server.until('the webhooks are called', async () => {
    const answer = await create('probe', { title: '' }, '?dryRun=All')
    return answer.status === 422 && answer.body.message.includes('every book has one')
  })
  asked.length = 0
}

const path = (rest = '') => `/apis/${GROUP}/v1/namespaces/${server.namespace}/books${rest}`

function create(name: string, spec: object, query = '', labels: object = {}) {
  const body = { apiVersion: `${GROUP}/v1`, kind: 'Book', metadata: { name, labels }, spec }
  return server.call('POST', path(query), { body })
}

describe('webhooks that a manager serves over TLS', () => {
  it('fill in defaults, which validation and the client see', async () => {
    asked.length = 0
    const { status, body } = await create('moby-dick', { title: 'Moby-Dick' })
    expect([status, body.spec.copies]).toEqual([201, 3])
    expect(asked).toEqual(['defaults CREATE moby-dick', 'validates CREATE moby-dick'])
  })

  it('refuse with a Status that names each field', async () => {
    const { status, body } = await create('wrong', { title: '', copies: 11 })
    const webhook = `admission webhook "validate.books.${GROUP}" denied the request: `
    const causes = [
      {
        reason: 'FieldValueRequired',
        message: 'Required value: every book has one',
        field: 'spec.title',
      },
      { reason: 'FieldValueInvalid', message: 'Invalid value: 11: must be at most 10', field: 'spec.copies' },
    ]
    expect([status, body]).toEqual([
      422,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `${webhook}Book.${GROUP} "wrong" is invalid: [spec.title: Required value: every book has one, spec.copies: Invalid value: 11: must be at most 10]`,
        reason: 'Invalid',
        details: { name: 'wrong', group: GROUP, kind: 'Book', causes },
        code: 422,
      },
    ])
  })

  it('are understood by our client as errors of fields', async () => {
    const metadata = { namespace: server.namespace, name: 'wrong' }
    const creating = server.client.create(Book, { metadata, spec: { title: '' } })
    const error = await creating.then(
      () => undefined,
      (thrown: ApiError) => thrown,
    )
    expect(error?.status.details?.causes).toMatchObject([{ field: 'spec.title' }])
  })

  it('warn, whether the request succeeds or not', async () => {
    const good = await create('aeneid', { title: 'Aeneid', language: 'la' })
    expect([good.status, good.headers['warning']]).toEqual([
      201,
      '299 - "spec.language: few people read Latin"',
    ])
    const bad = await create('nothing', { title: '', language: 'la' })
    expect([bad.status, bad.headers['warning']]).toEqual([
      422,
      '299 - "spec.language: few people read Latin"',
    ])
  })

  it('know of a dry run', async () => {
    asked.length = 0
    expect((await create('dry', { title: 'Dry' }, '?dryRun=All')).status).toBe(201)
    expect(asked).toEqual(['defaults CREATE dry dry run', 'validates CREATE dry dry run'])
    expect((await server.call('GET', path('/dry'))).status).toBe(404)
  })

  it('look at an update with the old object, by update, patch and apply', async () => {
    await create('odyssey', { title: 'Odyssey', language: 'el' })
    const { body } = await server.call('GET', path('/odyssey'))
    const refused = { status: 422, body: { details: { causes: [{ field: 'spec.language' }] } } }
    const changed = { ...body, spec: { ...body.spec, language: 'en' } }
    expect(await server.call('PUT', path('/odyssey'), { body: changed })).toMatchObject(refused)
    const merge = { body: { spec: { language: 'en' } }, contentType: 'application/merge-patch+json' }
    expect(await server.call('PATCH', path('/odyssey'), merge)).toMatchObject(refused)
    const apply = {
      body: { apiVersion: `${GROUP}/v1`, kind: 'Book', spec: { title: 'Odyssey', language: 'en' } },
      contentType: 'application/apply-patch+yaml',
    }
    const applied = await server.call('PATCH', path('/odyssey?fieldManager=a&force=true'), apply)
    expect(applied).toMatchObject(refused)
    const title = { body: { spec: { title: 'The Odyssey' } }, contentType: 'application/merge-patch+json' }
    expect((await server.call('PATCH', path('/odyssey'), title)).body.spec).toMatchObject({ copies: 3 })
  })

  it('keep an object from being deleted', async () => {
    await create('lent', { title: 'Lent' }, '', { lent: 'true' })
    const refused = await server.call('DELETE', path('/lent'))
    expect([refused.status, refused.body.message]).toEqual([
      403,
      `admission webhook "validate.books.${GROUP}" denied the request: lent is lent`,
    ])
    const back = { body: { metadata: { labels: null } }, contentType: 'application/merge-patch+json' }
    await server.call('PATCH', path('/lent'), back)
    expect((await server.call('DELETE', path('/lent'))).status).toBe(200)
  })

  it('look at a subresource', async () => {
    await create('counted', { title: 'Counted' })
    const status = (lent: number) => ({
      body: { status: { lent } },
      contentType: 'application/merge-patch+json',
    })
    expect(await server.call('PATCH', path('/counted/status'), status(-1))).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'status.lent' }] } },
    })
    expect((await server.call('PATCH', path('/counted/status'), status(1))).status).toBe(200)
  })

  it('are called where their conditions match, and again where a later one changed the object', async () => {
    asked.length = 0
    expect((await create('common', { title: 'Common' })).body.spec.shelf).toBeUndefined()
    expect(asked.filter((what) => what.startsWith('first'))).toEqual([])
    expect((await create('rare', { title: 'Rare' })).body.spec.shelf).toBe('top')
    expect(asked.filter((what) => what.startsWith('first'))).toEqual([
      'first sees no shelf',
      'first sees top',
    ])
  })

  it('that take too long fail the request, unless they are to be ignored', async () => {
    const failed = await create('late', { title: 'Late' }, '', { test: 'late-fail' })
    expect([failed.status, failed.body.message]).toEqual([
      500,
      `Internal error occurred: failed calling webhook "late-fail.${GROUP}": failed to call webhook: Post "${served.clientConfig.url}/late-fail?timeout=1s": context deadline exceeded`,
    ])
    expect((await create('late', { title: 'Late' }, '', { test: 'late-ignore' })).status).toBe(201)
  })

  it('that have a mistake refuse the request, as a panic does in Go', async () => {
    const { status, body } = await create('mistaken', { title: 'M' }, '', { test: 'mistaken' })
    expect([status, body.message]).toEqual([
      500,
      `admission webhook "mistaken.${GROUP}" denied the request: panic: Cannot read properties of undefined (reading 'length') [recovered]`,
    ])
  })

  it('that are gone fail the request', async () => {
    await served[Symbol.asyncDispose]()
    served = await serveWebhooks([], server.transport)
    const { status, body } = await create('gone', { title: 'Gone' })
    expect(status).toBe(500)
    expect(body.message).toMatch(/failed calling webhook "mutate\.books\..*connect: connection refused/)
  })
})
