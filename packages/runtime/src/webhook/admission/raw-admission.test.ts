import { describe, expect, it } from 'vitest'
import { admissionReview, callWebhook, patchIn } from '../../../test/review-call.ts'
import { webhookHandler } from '../review/webhook-handler.ts'
import { allowed, denied, patched, rawAdmission } from './index.ts'

const everything = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE'] } as const
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { owner: 'ada' } } }

describe('a policy over many kinds', () => {
  it('allows, refuses and patches objects of any kind', async () => {
    const owned = rawAdmission('owned.example.com', everything).mutates(({ object }, { warn }) => {
      const { owner } = object?.metadata.labels ?? {}
      if (owner === 'ada') return allowed('well known')
      if (owner === undefined) return denied('needs an owner')
      warn('unknown owner')
      if (owner === 'ops') return patched([{ op: 'remove', path: '/metadata/labels/owner' }])
      return patched({ ...object, metadata: { ...object?.metadata, annotations: { owner } } })
    })
    const handler = webhookHandler([owned])
    const ask = (labels?: object) =>
      callWebhook(
        handler,
        '/mutate-owned-example-com',
        admissionReview({
          ...pod,
          metadata: { name: 'a', ...(labels ? { labels } : {}) },
        }),
      )
    expect((await ask({ owner: 'ada' })).body.response.status).toEqual({
      metadata: {},
      message: 'well known',
      code: 200,
    })
    expect((await ask()).body.response.status).toMatchObject({ code: 403, message: 'needs an owner' })
    expect(patchIn(await ask({ owner: 'ops' }))).toEqual([{ op: 'remove', path: '/metadata/labels/owner' }])
    const unknown = await ask({ owner: 'x' })
    expect(patchIn(unknown)).toEqual([{ op: 'add', path: '/metadata/annotations', value: { owner: 'x' } }])
    expect(unknown.body.response.warnings).toEqual(['unknown owner'])
  })

  it('cannot patch where it validates, and fails with a remedy for other results', async () => {
    const patching = rawAdmission('a.example.com', everything).validates((() => patched({})) as never)
    const nothing = rawAdmission('b.example.com', everything).mutates((() => undefined) as never)
    const handler = webhookHandler([patching, nothing])
    const status = async (path: string) =>
      (await callWebhook(handler, path, admissionReview(pod))).body.response.status
    expect(await status('/validate-a-example-com')).toMatchObject({
      code: 500,
      message: expect.stringContaining('return allowed(…) or denied(…)'),
    })
    expect(await status('/mutate-b-example-com')).toMatchObject({
      code: 500,
      message: expect.stringContaining('the handler returned undefined'),
    })
  })

  it.each<[what: string, define: () => unknown, message: RegExp]>([
    ['a name with one dot', () => rawAdmission('a.b', everything), /two dots/],
    [
      'a rule without resources',
      () => rawAdmission('a.b.c', { ...everything, resources: [] }),
      /resources .* is empty/,
    ],
    [
      'a rule with a star among others',
      () => rawAdmission('a.b.c', { ...everything, operations: ['*', 'CREATE'] }),
      /operations .* '\*' and other values/,
    ],
    ['a scope', () => rawAdmission('a.b.c', { ...everything, scope: 'All' as '*' }), /scope/],
  ])('refuses %s', (_, define, message) => {
    expect(define).toThrow(message)
  })
})
