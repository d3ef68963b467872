import { defineKind, schema as s, SimulatedClock } from '@homeostat/api'
import { Deployment, Pod, StatefulSet } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { admissionReview, callWebhook, patchIn } from '../../../test/review-call.ts'
import { MetricsRegistry } from '../../telemetry/index.ts'
import { webhookHandler } from '../review/webhook-handler.ts'
import { admission, denied, duplicate, invalid, notSupported, required, tooMany } from './index.ts'

const View = defineKind({
  group: 'view.example.com',
  version: 'v1',
  kind: 'View',
  spec: s.object({
    pages: s.map(s.string()),
    replicas: s.integer().optional(),
    theme: s.string().optional(),
    tags: s.list(s.string()).optional(),
  }),
  status: s.object({ phase: s.string().optional() }),
})
type Spec = { pages: Record<string, string>; replicas?: number; theme?: string; tags?: string[] }
const MUTATE = '/mutate-view-example-com-v1-view'
const VALIDATE = '/validate-view-example-com-v1-view'

function view(spec: Spec, metadata: object = {}) {
  return {
    apiVersion: 'view.example.com/v1',
    kind: 'View',
    metadata: { name: 'docs', namespace: 'default', ...metadata },
    spec,
  }
}

describe('defaults', () => {
  const handler = webhookHandler([
    admission(View).defaults(({ spec, metadata }, { request }) => {
      if (spec.theme === 'mutated') (spec as { theme?: string }).theme = 'x'
      if (spec.theme === 'closed') return denied('the shop is closed')
      return {
        metadata: { labels: { ...metadata.labels, by: request.userInfo.username } },
        spec: {
          replicas: spec.replicas ?? 3,
          ...(spec.theme === 'none' ? { theme: null } : {}),
          ...(spec.tags ? { tags: [...spec.tags, 'checked'] } : {}),
        },
      }
    }),
  ])
  const patchOf = async (spec: Spec, metadata = {}) =>
    patchIn(await callWebhook(handler, MUTATE, admissionReview(view(spec, metadata))))

  it('become the smallest patch', async () => {
    expect(await patchOf({ pages: {} })).toEqual([
      { op: 'add', path: '/metadata/labels', value: { by: 'ada' } },
      { op: 'add', path: '/spec/replicas', value: 3 },
    ])
    expect(
      await patchOf({ pages: {}, replicas: 1, theme: 'none', tags: ['a'] }, { labels: { by: 'ada' } }),
    ).toEqual([
      { op: 'remove', path: '/spec/theme' },
      { op: 'add', path: '/spec/tags/1', value: 'checked' },
    ])
  })

  it('send no patch where nothing changes', async () => {
    const object = view({ pages: {}, replicas: 1 }, { labels: { by: 'ada' } })
    const { body } = await callWebhook(handler, MUTATE, admissionReview(object))
    expect(body).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid: 'review-1', allowed: true, status: { metadata: {}, code: 200 } },
    })
  })

  it('may refuse, and let a delete through', async () => {
    const refused = await callWebhook(handler, MUTATE, admissionReview(view({ pages: {}, theme: 'closed' })))
    expect(refused.body.response).toMatchObject({
      allowed: false,
      status: { message: 'the shop is closed', reason: 'Forbidden', code: 403 },
    })
    const deleted = admissionReview(null, { operation: 'DELETE', oldObject: view({ pages: {} }) })
    expect((await callWebhook(handler, MUTATE, deleted)).body.response.allowed).toBe(true)
  })

  it('cannot change the object that they are given, which would have no effect', async () => {
    const { body } = await callWebhook(
      handler,
      MUTATE,
      admissionReview(view({ pages: {}, theme: 'mutated' })),
    )
    expect(body.response.status).toMatchObject({ code: 500, message: expect.stringContaining('read only') })
  })

  it('cannot set a field that the kind does not have, which a server would drop', async () => {
    const errorOf = async (change: object, object = view({ pages: {} })) => {
      const misspelt = webhookHandler([admission(View).defaults(() => change as { spec: object })])
      const { response } = (await callWebhook(misspelt, MUTATE, admissionReview(object))).body
      return response.allowed ? undefined : response.status
    }
    expect(await errorOf({ spec: { replicas: 1, replicsa: 3, theme: 'a' } })).toMatchObject({
      code: 500,
      message: expect.stringContaining(
        'the defaults returned spec.replicsa, a field that View does not have: did you mean replicas?',
      ),
    })
    expect((await errorOf({ specs: {} })).message).toContain('returned specs, a field that View')
    expect((await errorOf({ spec: { gone: null } })).message).toContain(
      'returned spec.gone, a field that View',
    )
    expect(await errorOf({ spec: { pages: { any: 'page' } }, metadata: { labels: { a: 'b' } } })).toBe(
      undefined,
    )
    // An object that a server with a newer definition holds, returned with its fields.
    const newer = view({ pages: {}, color: 'red' } as Spec)
    expect(await errorOf({ spec: { ...newer.spec, replicas: 2 } }, newer)).toBe(undefined)
  })

  it('keep whole numbers beyond 2^53 as they are', async () => {
    const text = JSON.stringify(admissionReview(view({ pages: {}, tags: [] }))).replace(
      '"tags":[]',
      '"tags":[9007199254740993]',
    )
    const response = await handler({
      method: 'POST',
      path: MUTATE,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(text),
    })
    const { patch } = JSON.parse(new TextDecoder().decode(response.body as Uint8Array)).response
    expect(atob(patch)).toContain('"path":"/spec/tags/1","value":"checked"')
    expect(atob(patch)).not.toContain('9007199254740992')
  })
})

describe('validation', () => {
  const registry = new MetricsRegistry()
  const webhook = admission(View).validates({
    create: ({ spec }, { warn, audit }) => {
      if (spec.theme === 'old') warn('spec.theme: old is deprecated')
      audit('pages', String(Object.keys(spec.pages).length))
      if (spec.theme === 'broken') return (undefined as unknown as { x: never[] }).x
      if (spec.theme === 'thrown') throw new Error('the printer is out of paper')
      return [
        ...(spec.pages['SUMMARY.md'] === undefined ? [required('spec.pages', 'needs a SUMMARY.md')] : []),
        ...((spec.replicas ?? 0) > 5 ? [invalid('spec.replicas', 'must be at most 5')] : []),
        ...(spec.theme === 'x"y' ? [notSupported('spec.theme', ['dark', 'light'])] : []),
        ...(spec.tags?.[0] !== undefined && spec.tags[0] === spec.tags[1] ? [duplicate('spec.tags[1]')] : []),
        ...((spec.tags?.length ?? 0) > 2 ? [tooMany('spec.tags', 2)] : []),
        ...(spec.pages['a.md'] === '<' ? [invalid('spec.pages', 'has a broken page')] : []),
      ]
    },
    update: (now, old) =>
      now.spec.theme === old.spec.theme
        ? undefined
        : [invalid(`spec.theme`, 'must not change', { value: old.spec.theme })],
    delete: async ({ metadata }) =>
      metadata.labels?.['keep'] === 'true' ? denied('it is kept', { code: 409, reason: 'Conflict' }) : [],
  })
  const handler = webhookHandler([webhook], { metrics: registry })
  const validate = async (spec: Spec) =>
    (await callWebhook(handler, VALIDATE, admissionReview(view(spec)))).body.response

  it('refuses with a Status as native kinds have it', async () => {
    expect(await validate({ pages: {}, replicas: 9 })).toEqual({
      uid: 'review-1',
      allowed: false,
      status: {
        metadata: {},
        status: 'Failure',
        message:
          'View.view.example.com "docs" is invalid: [spec.pages: Required value: needs a SUMMARY.md, spec.replicas: Invalid value: 9: must be at most 5]',
        reason: 'Invalid',
        details: {
          name: 'docs',
          group: 'view.example.com',
          kind: 'View',
          causes: [
            {
              reason: 'FieldValueRequired',
              message: 'Required value: needs a SUMMARY.md',
              field: 'spec.pages',
            },
            {
              reason: 'FieldValueInvalid',
              message: 'Invalid value: 9: must be at most 5',
              field: 'spec.replicas',
            },
          ],
        },
        code: 422,
      },
      auditAnnotations: { pages: '0' },
    })
  })

  it.each<[spec: Partial<Spec>, message: string]>([
    [{ theme: 'x"y' }, String.raw`spec.theme: Unsupported value: "x\"y": supported values: "dark", "light"`],
    [{ tags: ['a', 'a'] }, 'spec.tags[1]: Duplicate value: "a"'],
    [{ tags: ['a', 'b', 'c'] }, 'spec.tags: Too many: 3: must have at most 2 items'],
    [
      { pages: { 'SUMMARY.md': '', 'a.md': '<' } },
      String.raw`spec.pages: Invalid value: {"SUMMARY.md":"","a.md":"\u003c"}: has a broken page`,
    ],
  ])('shows the value of %j', async (spec, message) => {
    const { status } = await validate({ pages: { 'SUMMARY.md': '' }, ...spec })
    expect(status.message).toBe(`View.view.example.com "docs" is invalid: ${message}`)
  })

  it('warns, whether it refuses or not', async () => {
    expect(await validate({ pages: { 'SUMMARY.md': '' }, theme: 'old' })).toEqual({
      uid: 'review-1',
      allowed: true,
      status: { metadata: {}, code: 200 },
      auditAnnotations: { pages: '1' },
      warnings: ['spec.theme: old is deprecated'],
    })
    expect(await validate({ pages: {}, theme: 'old' })).toMatchObject({
      allowed: false,
      warnings: ['spec.theme: old is deprecated'],
    })
  })

  it('sees both objects of an update and the one of a delete', async () => {
    const [a, b] = [view({ pages: {}, theme: 'a' }), view({ pages: {}, theme: 'b' })]
    const update = { operation: 'UPDATE', oldObject: b }
    const refused = await callWebhook(handler, VALIDATE, admissionReview(a, update))
    expect(refused.body.response.status.message).toMatch(/spec.theme: Invalid value: "b": must not change$/)
    expect((await callWebhook(handler, VALIDATE, admissionReview(b, update))).body.response.allowed).toBe(
      true,
    )
    const oldObject = view({ pages: {} }, { labels: { keep: 'true' } })
    const kept = admissionReview(null, { operation: 'DELETE', oldObject })
    expect((await callWebhook(handler, VALIDATE, kept)).body.response.status).toEqual({
      metadata: {},
      message: 'it is kept',
      reason: 'Conflict',
      code: 409,
    })
  })

  it('turns an error into a refusal, and a mistake of the code into an internal error that is counted', async () => {
    expect((await validate({ pages: {}, theme: 'thrown' })).status).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'the printer is out of paper',
    })
    const { status } = await validate({ pages: {}, theme: 'broken' })
    expect(status).toEqual({
      metadata: {},
      message: "panic: Cannot read properties of undefined (reading 'x') [recovered]",
      code: 500,
    })
    expect(registry.page()).toContain('controller_runtime_webhook_panics_total 1')
  })

  it('refuses an operation and a kind that it does not know', async () => {
    const unknown = admissionReview(view({ pages: {} }), { operation: 'PATCH' })
    expect((await callWebhook(handler, VALIDATE, unknown)).body.response.status).toMatchObject({
      code: 400,
      message: 'unknown operation "PATCH"',
    })
    const other = admissionReview({ ...view({ pages: {} }), kind: 'Other' })
    expect((await callWebhook(handler, VALIDATE, other)).body.response.status).toMatchObject({
      code: 400,
      message: 'no kind "Other" is registered for version "view.example.com/v1"',
    })
  })
})

describe('the definition of an admission', () => {
  it('has the paths of controller-runtime, and rules from its functions', () => {
    const { endpoints } = admission(View)
      .options({ scope: 'Namespaced' })
      .defaults(() => undefined)
      .validates({ update: () => [], delete: () => [] })
    expect(endpoints.map(({ type, name, path, rules }) => ({ type, name, path, rules }))).toEqual([
      {
        type: 'mutating',
        name: 'mutate.views.view.example.com',
        path: MUTATE,
        rules: [
          {
            apiGroups: ['view.example.com'],
            apiVersions: ['v1'],
            resources: ['views'],
            operations: ['CREATE', 'UPDATE'],
            scope: 'Namespaced',
          },
        ],
      },
      {
        type: 'validating',
        name: 'validate.views.view.example.com',
        path: VALIDATE,
        rules: [expect.objectContaining({ operations: ['UPDATE', 'DELETE'] })],
      },
    ])
    const [core] = admission(Pod)
      .subresource('status')
      .validates({ update: () => [] }).endpoints
    expect(core).toMatchObject({
      name: 'validate.status.pods.core',
      path: '/validate--v1-pod-status',
      rules: [{ apiGroups: [''], resources: ['pods/status'] }],
    })
  })

  it('takes several kinds with one rule for each group and version', async () => {
    const webhook = admission(Deployment, StatefulSet, Pod)
      .options({ name: 'small.example.com' })
      .validates({
        create: (object) => (object.kind === 'Pod' ? denied('no Pods') : []),
      })
    expect(webhook.endpoints[0]?.path).toBe('/validate-small-example-com')
    expect(webhook.endpoints[0]?.rules.map(({ apiGroups, resources }) => ({ apiGroups, resources }))).toEqual(
      [
        { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'] },
        { apiGroups: [''], resources: ['pods'] },
      ],
    )
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }
    const { body } = await callWebhook(
      webhookHandler([webhook]),
      '/validate-small-example-com',
      admissionReview(pod),
    )
    expect(body.response.status.message).toBe('no Pods')
  })

  it.each<[what: string, define: () => unknown, message: RegExp]>([
    [
      'a timeout',
      () => admission(View).options({ timeoutSeconds: 31 }),
      /timeoutSeconds of the admission of View is 31/,
    ],
    ['a name', () => admission(View).options({ name: 'a.b' }), /name .* at least two dots/],
    ['a path', () => admission(View).defaults(() => undefined, { path: 'x' }), /path .* slash/],
    ['a policy', () => admission(View).options({ failurePolicy: 'Never' as 'Fail' }), /failurePolicy/],
    [
      'a selector',
      () => admission(View).options({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } }),
      /objectSelector .* operator/,
    ],
    [
      'conditions',
      () =>
        admission(View).options({
          matchConditions: [
            { name: 'a', expression: 'true' },
            { name: 'a', expression: 'true' },
          ],
        }),
      /matchConditions\[1\] .* twice/,
    ],
    ['an option', () => admission(View).options({ timeout: 5 } as object), /has no option "timeout"/],
    [
      'an option of the other webhook',
      () => admission(View).validates({ create: () => [] }, { reinvocationPolicy: 'Never' } as object),
      /has no option "reinvocationPolicy"/,
    ],
    ['nothing to do', () => admission(View).validates({}), /would validate nothing/],
    ['several kinds without a name', () => admission(View, Pod).defaults(() => undefined), /needs a name/],
    ['a subresource', () => admission(View).subresource('a/b'), /not the name of a subresource/],
    [
      'defaults that are given twice',
      () =>
        (admission(View).defaults(() => undefined) as unknown as { defaults(f: unknown): unknown }).defaults(
          () => undefined,
        ),
      /has defaults already/,
    ],
    [
      'a path that is used twice',
      () =>
        webhookHandler([
          admission(View).defaults(() => undefined),
          admission(View).defaults(() => undefined),
        ]),
      /have the path/,
    ],
  ])('refuses %s where it would have no effect or an API server would refuse it', (_, define, message) => {
    expect(define).toThrow(message)
  })
})

describe('the context of an admission', () => {
  it('has the request, the deadline and a clock', async () => {
    const clock = new SimulatedClock()
    const seen: unknown[] = []
    const handler = webhookHandler(
      [
        admission(View).validates({
          create: (_, { request, deadline, log, signal }) => {
            log.info('seen')
            seen.push(request, deadline, signal.aborted)
          },
        }),
      ],
      { clock },
    )
    await callWebhook(handler, VALIDATE, admissionReview(view({ pages: {} }), { dryRun: true }), {
      timeout: '10s',
    })
    expect(seen).toEqual([
      expect.objectContaining({
        uid: 'review-1',
        operation: 'CREATE',
        dryRun: true,
        subResource: '',
        userInfo: { username: 'ada', uid: '7', groups: ['people'], extra: { team: ['a'] } },
        options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
      }),
      clock.now() + 10_000,
      false,
    ])
  })

  it('fails with a remedy where there is no client', async () => {
    const webhook = admission(View).validates({
      create: async (_, { client }) => void (await client.list(Pod)),
    })
    const { body } = await callWebhook(
      webhookHandler([webhook]),
      VALIDATE,
      admissionReview(view({ pages: {} })),
    )
    expect(body.response.status.message).toContain('give webhookHandler the option client')
  })
})
