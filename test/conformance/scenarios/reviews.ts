import { scenario, topic, type Scenario, type Step } from '../scenario.ts'
import { create } from '../steps.ts'

type Fields = Readonly<Record<string, unknown>>

const group = '/apis/authorization.k8s.io/v1'
const review = (kind: string, spec: Fields, more: Fields = {}): object => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind,
  spec,
  ...more,
})
const asks = (spec: Fields, more: Fields = {}): Step =>
  create(`${group}/subjectaccessreviews`, review('SubjectAccessReview', spec, more), {
    // The time of the managed fields that the message shows.
    ignore: ['message', 'details.causes.0.message'],
  })
const lists = (attributes: Fields): Step =>
  create(
    `${group}/subjectaccessreviews`,
    review('SubjectAccessReview', {
      user: 'jane',
      resourceAttributes: { verb: 'list', resource: 'pods', namespace: '{ns}', ...attributes },
    }),
  )
const about = (title: string, ...steps: readonly Step[]): Scenario =>
  scenario('B access', `of access: ${title}`, ...steps)
const requirement = (operator: string, ...values: readonly string[]): Fields => ({
  requirements: [{ key: 'a', operator, ...(values.length > 0 && { values }) }],
})

const selectors: readonly Scenario[] = ['labelSelector', 'fieldSelector'].flatMap((name) => [
  about(`${name} as text`, lists({ [name]: { rawSelector: 'a=b' } })),
  about(`${name} as text that no parser can read`, lists({ [name]: { rawSelector: 'a in (' } })),
  about(`${name} that is empty`, lists({ [name]: {} })),
  about(
    `${name} as text and as requirements`,
    lists({ [name]: { rawSelector: 'a=b', ...requirement('In', 'b') } }),
  ),
  about(`${name} with an unknown operator`, lists({ [name]: requirement('Near', 'b') })),
  about(`${name} with values that are missing`, lists({ [name]: requirement('In') })),
  about(`${name} with values that are too many`, lists({ [name]: requirement('Exists', 'x') })),
  about(`${name} with two values`, lists({ [name]: requirement('In', 'x', 'y') })),
  about(
    `${name} without a key`,
    lists({ [name]: { requirements: [{ key: '', operator: 'Exists', values: ['x'] }] } }),
  ),
])

const local = '/apis/authorization.k8s.io/v1/~/localsubjectaccessreviews'

export const reviews = topic('reviews', [
  ...selectors,
  about('nobody', asks({}), asks({ user: 'jane' }), asks({ groups: ['a'], resourceAttributes: {} })),
  about(
    'a path and a resource',
    asks({ user: 'jane', nonResourceAttributes: { path: '/x', verb: 'get' }, resourceAttributes: {} }),
  ),
  about('a path', asks({ user: 'jane', nonResourceAttributes: { path: '/livez', verb: 'get' } })),
  about(
    'metadata',
    asks({ user: 'jane', resourceAttributes: {} }, { metadata: { name: 'a' } }),
    asks({ user: 'jane', resourceAttributes: {} }, { metadata: { labels: { a: 'b' } } }),
    asks({ user: 'jane', resourceAttributes: {} }, { metadata: { namespace: 'a' } }),
    asks({ user: 'jane', resourceAttributes: {} }, { metadata: { managedFields: [{ manager: 'a' }] } }),
  ),
  about(
    'a status that a client sends',
    asks({ user: 'jane', resourceAttributes: {} }, { status: { allowed: true, reason: 'me' } }),
  ),
  about(
    'one namespace, asked in another',
    create(
      local,
      review('LocalSubjectAccessReview', { user: 'jane', resourceAttributes: { namespace: 'other' } }),
    ),
    create(
      local,
      review('LocalSubjectAccessReview', { user: 'jane', resourceAttributes: { namespace: '{ns}' } }),
    ),
    create(
      local,
      review('LocalSubjectAccessReview', {
        user: 'jane',
        nonResourceAttributes: { path: '/x', verb: 'get' },
      }),
    ),
  ),
  about(
    'of oneself, with nothing asked',
    create(`${group}/selfsubjectaccessreviews`, review('SelfSubjectAccessReview', {})),
  ),
  about(
    'of oneself, with a selector',
    create(
      `${group}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', {
        resourceAttributes: { verb: 'list', resource: 'pods', fieldSelector: requirement('In', 'x') },
      }),
    ),
  ),
  about(
    'rules without a namespace',
    create(`${group}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: '' })),
  ),
  about(
    'a token that is missing, and one that is wrong',
    create('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: {},
    }),
    create('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      metadata: { labels: { 'a b': 'c' } },
      spec: { token: 'nobody' },
      status: { authenticated: true },
    }),
    create('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'nobody' },
      status: { error: 'mine', audiences: ['a'], user: { username: 'me', groups: ['b'] } },
    }),
  ),
])
