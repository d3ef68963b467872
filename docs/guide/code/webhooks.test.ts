import {
  admission,
  allowed,
  defineKind,
  denied,
  invalid,
  rawAdmission,
  required,
  schema as s,
  webhookConfigurations,
  webhookHandler,
} from 'homeostat'
import { expect, test } from 'vitest'

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
