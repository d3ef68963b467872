import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  admission,
  allowed,
  apiVersionOf,
  authenticated,
  authentication,
  controller,
  conversion,
  customResourceDefinition,
  defineKind,
  denied,
  expectRoundTrip,
  invalid,
  Manager,
  operator,
  operatorManager,
  rawAdmission,
  required,
  schema as s,
  silentLogger,
  storageMigration,
  unauthenticated,
  webhookConfigurations,
  webhookHandler,
  type DefaultsResult,
  type NewObjectOf,
  type ValidationResult,
} from 'homeostat'
import { Cluster } from '@homeostat/cluster'
import { OperatorTest } from '@homeostat/cluster/testing'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { hasKubectl } from '../../../test/kubectl/has-kubectl.ts'
import { markdownView } from '../first/controller.ts'
import { MarkdownView } from '../first/markdown-view.ts'

// #region first
const viewAdmission = admission(MarkdownView).validates({
  create: ({ spec }) =>
    'SUMMARY.md' in spec.markdowns
      ? []
      : [required('spec.markdowns[SUMMARY.md]', 'it is the table of contents')],
})

const views = operator('views', { controllers: [markdownView], webhooks: [viewAdmission] })
// #endregion

test.skipIf(!hasKubectl)(
  'kubectl apply of it is refused on a cluster, without a certificate of yours',
  async () => {
    await using cluster = await Cluster.start()
    await cluster.install(views)
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-five-lines-'))
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    const stop = new AbortController()
    const manager = operatorManager(views, { transport: cluster.transport, logger: silentLogger })
    const running = manager.start({ signal: stop.signal })
    const apply = (file: string, ...options: readonly string[]) => {
      const view = {
        apiVersion: apiVersionOf(MarkdownView),
        kind: MarkdownView.kind,
        metadata: { name: 'hello' },
        spec: { markdowns: { [file]: '# Hello' } },
      }
      writeFileSync(join(folder, 'view.json'), JSON.stringify(view))
      const args = ['--kubeconfig', kubeconfig, 'apply', '-f', join(folder, 'view.json'), ...options]
      return promisify(execFile)('kubectl', args).then(({ stdout }) => stdout, String)
    }
    try {
      // The manager makes itself known.
      const refusal = 'spec.markdowns[SUMMARY.md]: Required value: it is the table of contents'
      await expect.poll(() => apply('hello.md', '--dry-run=server'), { timeout: 60_000 }).toContain(refusal)
      expect(await apply('hello.md')).toContain(`The MarkdownView "hello" is invalid: ${refusal}`)
      expect(await apply('SUMMARY.md')).toMatch(/^markdownview.*\/hello created\n$/)
    } finally {
      stop.abort()
      await running
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

test('a view without a summary is refused', async () => {
  // #region first-test
  await using test = await OperatorTest.start(views)
  const view = {
    metadata: { namespace: 'default', name: 'hello' },
    spec: { markdowns: { 'hello.md': '# Hello' } },
  }
  await expect(test.client.create(MarkdownView, view)).rejects.toThrow(
    'spec.markdowns[SUMMARY.md]: Required value: it is the table of contents',
  )
  // #endregion
})

// #region kind
const Book = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Book',
  spec: s.object({
    pages: s.map(s.string()),
    replicas: s.integer().optional(),
    language: s.string().optional(),
  }),
})
// #endregion

// #region admission
const bookAdmission = admission(Book)
  .defaults(({ spec }) => ({ spec: { replicas: spec.replicas ?? 3 } }))
  .validates({
    create: ({ spec }, { warn }) => {
      if (spec.language === 'la') warn('spec.language: few people read Latin')
      return spec.pages['SUMMARY.md'] === undefined
        ? [required('spec.pages[SUMMARY.md]', 'every book has one')]
        : []
    },
    update: (book, old) =>
      book.spec.language === old.spec.language ? [] : [invalid('spec.language', 'is printed on the cover')],
    delete: ({ metadata }, { request }) =>
      metadata.labels?.['lent'] === 'true' ? denied(`${request.name} is lent`) : undefined,
  })
// #endregion

// #region shared
function validate({ spec }: NewObjectOf<typeof Book>): ValidationResult<typeof Book> {
  if (spec.replicas === undefined || spec.replicas > 0) return []
  return [invalid('spec.replicas', 'a book has at least one copy')]
}

function defaults({ spec }: NewObjectOf<typeof Book>): DefaultsResult<typeof Book> {
  return { spec: { language: spec.language ?? 'en' } }
}

const shelf = admission(Book).defaults(defaults).validates({ create: validate, update: validate })
// #endregion

test('one function validates what is created and what is updated', async () => {
  await using test = await OperatorTest.start({ kinds: [Book], controllers: [none], webhooks: [shelf] })
  const metadata = { namespace: 'default', name: 'moby-dick' }
  const wrong = { metadata, spec: { pages: {}, replicas: 0 } }
  await expect(test.client.create(Book, wrong)).rejects.toThrow('spec.replicas: Invalid value: 0: a book has')
  const made = await test.client.create(Book, { metadata, spec: { pages: {} } })
  expect(made.spec.language).toBe('en')
  const patch = { type: 'merge', body: { spec: { replicas: 0 } } } as const
  await expect(test.client.patch(Book, metadata, patch)).rejects.toThrow('a book has at least one copy')
})

test('a wrong path is reported where it is written', () => {
  function misspelt(): ValidationResult<typeof Book> {
    // @ts-expect-error the field is spec.replicas
    return [invalid('spec.replica', 'a book has at least one copy')]
  }
  expect(admission(Book).validates({ create: misspelt, update: misspelt })).toBeDefined()
})

// #region policy
const owned = rawAdmission('owned.guide.example.com', {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments', 'statefulsets'],
  operations: ['CREATE'],
}).validates(({ object, userInfo }) =>
  object?.metadata.labels?.['owner'] === undefined ? denied(`${userInfo.username}, who owns it?`) : allowed(),
)
// #endregion

const json = { 'content-type': 'application/json' }

// #region review
const handle = webhookHandler([bookAdmission, owned])

async function review(path: string, request: object): Promise<any> {
  const body = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: '1', ...request },
  }
  const response = await handle({
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers: json,
    body: new TextEncoder().encode(JSON.stringify(body)),
  })
  return JSON.parse(new TextDecoder().decode(response.body as Uint8Array)).response
}
// #endregion

const book = {
  apiVersion: 'guide.example.com/v1',
  kind: 'Book',
  metadata: { name: 'moby-dick' },
  spec: { pages: {}, language: 'la' },
}
const kind = { group: 'guide.example.com', version: 'v1', kind: 'Book' }

test('a book without a summary is refused with a field, and Latin is warned of', async () => {
  const request = { operation: 'CREATE', kind, name: 'moby-dick', object: book }
  // #region answer
  const answer = await review('/validate-guide-example-com-v1-book', request)
  expect(answer.warnings).toEqual(['spec.language: few people read Latin'])
  expect(answer.status.message).toBe(
    'Book.guide.example.com "moby-dick" is invalid: spec.pages[SUMMARY.md]: Required value: every book has one',
  )
  // #endregion
})

test('the replicas become a patch', async () => {
  const { patch } = await review('/mutate-guide-example-com-v1-book', {
    operation: 'CREATE',
    kind,
    object: book,
  })
  expect(JSON.parse(atob(patch))).toEqual([{ op: 'add', path: '/spec/replicas', value: 3 }])
})

test('a lent book stays, and a language too', async () => {
  const lent = { ...book, metadata: { name: 'moby-dick', labels: { lent: 'true' } } }
  const path = '/validate-guide-example-com-v1-book'
  const gone = await review(path, { operation: 'DELETE', kind, name: 'moby-dick', oldObject: lent })
  expect(gone.status).toMatchObject({ message: 'moby-dick is lent', code: 403 })
  const english = { ...book, spec: { ...book.spec, language: 'en' } }
  const changed = await review(path, { operation: 'UPDATE', kind, object: english, oldObject: book })
  expect(changed.status.message).toContain('spec.language: Invalid value: "en": is printed on the cover')
})

test('a policy sees objects of many kinds', async () => {
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }
  const request = { operation: 'CREATE', userInfo: { username: 'ada' }, object }
  const answer = await review('/validate-owned-guide-example-com', request)
  expect(answer.status).toMatchObject({ code: 403, message: 'ada, who owns it?' })
})

test('the configurations come from the code', () => {
  // #region configurations
  const { mutating, validating } = webhookConfigurations([bookAdmission, owned], {
    name: 'books',
    clientConfig: { service: { name: 'book-operator', namespace: 'books' } },
  })
  // #endregion
  expect(mutating?.webhooks.map(({ name }) => name)).toEqual(['mutate.books.guide.example.com'])
  expect(validating?.webhooks.map(({ name }) => name)).toEqual([
    'validate.books.guide.example.com',
    'owned.guide.example.com',
  ])
})

// #region versions
const word = s.string().pattern('^[a-z]+$')
const names = { group: 'guide.example.com', kind: 'Shelf' } as const
const ShelfV1 = defineKind({
  ...names,
  version: 'v1',
  spec: s.object({ place: s.string().pattern('^[a-z]+/[a-z]+$') }),
})
const ShelfV2 = defineKind({
  ...names,
  version: 'v2',
  spec: s.object({ room: word, wall: word, color: s.string().optional() }),
})

const shelves = conversion(ShelfV2)
  .version(ShelfV1)
  .converts({
    toStored: ({ spec }) => {
      const [room = '', wall = ''] = spec.place.split('/')
      return { spec: { room, wall } }
    },
    fromStored: ({ spec: { room, wall } }) => ({ spec: { place: `${room}/${wall}` } }),
    keeps: { stored: ['spec.color'] },
  })
// #endregion

test('nothing is lost between the versions', () => {
  // #region round-trip
  expectRoundTrip(shelves)
  // #endregion
  expect(shelves.kinds).toHaveLength(2)
})

test('a conversion that forgets a field is found', () => {
  const forgetful = conversion(ShelfV2)
    .version(ShelfV1)
    .converts({
      toStored: ({ spec: { place } }) => ({
        spec: { room: place.split('/')[0] ?? '', wall: place.split('/')[1] ?? '' },
      }),
      fromStored: ({ spec: { room, wall } }) => ({ spec: { place: `${room}/${wall}` } }),
    })
  // #region lost
  expect(() => expectRoundTrip(forgetful)).toThrow(
    /^the conversion of Shelf v2 → v1 → v2 loses spec.color: it was "\S*" and is absent/,
  )
  // #endregion
})

test('the versions make one definition', () => {
  // #region definition
  const definition = customResourceDefinition(shelves.kinds, {
    stored: shelves.stored.version,
    conversion: { service: { name: 'shelf-operator', namespace: 'books', path: '/convert' } },
  })
  // #endregion
  expect(definition.spec.versions.map(({ name }) => name)).toEqual(['v1', 'v2'])
  expect(definition.spec.conversion?.strategy).toBe('Webhook')
})

test('stored objects are rewritten in the version that is stored today', async () => {
  // #region migration
  const migration = storageMigration([ShelfV2])
  const library = operator('shelves', {
    kinds: [ShelfV2],
    webhooks: [shelves],
    runnables: [{ name: 'storage-migration', run: migration.run, ...migration.options }],
  })
  // #endregion
  await using test = await OperatorTest.start(library)
  const name = `${ShelfV2.plural}.${ShelfV2.group}`
  await test.client.create(ShelfV1, {
    metadata: { namespace: 'default', name: 'poems' },
    spec: { place: 'study/north' },
  })
  const body = { status: { storedVersions: ['v1', 'v2'] } }
  await test.client.status.patch(CustomResourceDefinition, { name }, { type: 'merge', body })
  await test.advance('11m')
  const { status } = await test.client.getOrThrow(CustomResourceDefinition, { name })
  expect(status?.storedVersions).toEqual(['v2'])
})

test('a token is a person', async () => {
  // #region token
  const people = new Map([['token-of-ada', 'ada']])
  const tokens = authentication(({ token }) => {
    const username = people.get(token)
    return username === undefined
      ? unauthenticated('unknown')
      : authenticated({ username, groups: ['readers'] })
  })
  // #endregion
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 'token-of-ada' },
  }
  const response = await webhookHandler([tokens])({
    method: 'POST',
    path: '/authenticate',
    query: new URLSearchParams(),
    headers: json,
    body: new TextEncoder().encode(JSON.stringify(body)),
  })
  const { status } = JSON.parse(new TextDecoder().decode(response.body as Uint8Array))
  expect(status).toEqual({ authenticated: true, user: { username: 'ada', groups: ['readers'] } })
})

test('a manager serves webhooks with the certificate of files', () => {
  // #region serve
  const manager = new Manager().addWebhooks([bookAdmission, owned, shelves], {
    tls: { certFile: '/certificates/tls.crt', keyFile: '/certificates/tls.key' },
  })
  // #endregion
  expect(manager.webhooks).toHaveLength(3)
  expect(manager.webhooksUrl).toBeUndefined()
})

test('what certificates need is in the rules', () => {
  // #region rules
  const manager = new Manager().addWebhooks([bookAdmission], {
    name: 'books',
    service: { namespace: 'books' },
  })
  const rules = manager.rules('namespace')
  // #endregion
  expect(rules).toEqual([
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['books-webhook-certificates'],
      verbs: ['get', 'list', 'watch', 'patch'],
    },
  ])
})

const none = controller('none')
  .for(Book)
  .reconcile(() => {})

test('a webhook that is late fails the request', async () => {
  // #region slow
  const slow = admission(Book).validates(
    { create: (_book, { clock, signal }) => clock.sleep(11_000, { signal }) },
    { failurePolicy: 'Fail' },
  )
  await using test = await OperatorTest.start({ kinds: [Book], controllers: [none], webhooks: [slow] })
  const metadata = { namespace: 'default', name: 'moby-dick' }
  const creating = test.client.create(Book, { metadata, spec: { pages: {} } })
  const [[answer]] = await Promise.all([Promise.allSettled([creating]), test.advance('10s')])
  expect(answer).toMatchObject({
    reason: { message: expect.stringContaining('context deadline exceeded') as string },
  })
  // #endregion
})

test('both versions show the same object', async () => {
  // #region both-versions
  await using test = await OperatorTest.start(operator('shelves', { kinds: [ShelfV2], webhooks: [shelves] }))
  const key = { namespace: 'default', name: 'poems' }
  await test.client.create(ShelfV1, { metadata: key, spec: { place: 'study/north' } })
  const { spec } = await test.client.getOrThrow(ShelfV2, key)
  expect(spec).toEqual({ room: 'study', wall: 'north' })
  // #endregion
})
