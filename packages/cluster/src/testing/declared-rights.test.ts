import { defineKind, schema as s, type ObjectOf } from '@homeostat/api'
import { ClusterRole, ConfigMap, Deployment, Lease, Pod, RoleBinding, Secret } from '@homeostat/api/kinds'
import {
  controller,
  controllerReference,
  createOrUpdate,
  FinalizerRegistry,
  isForbidden,
  type Controller,
  type ReconcileContext,
  type Runnable,
} from 'homeostat'
import { describe, expect, test } from 'vitest'
import { OperatorTest } from './operator-test.ts'

const Note = defineKind({
  group: 'test.homeostat.dev',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string().default('') }),
  status: s.object({ text: s.string().optional() }),
})
const NoteV2 = defineKind({
  group: 'test.homeostat.dev',
  version: 'v2',
  kind: 'Note',
  spec: s.object({ text: s.string().default('') }),
  status: s.object({ text: s.string().optional() }),
})

const key = { namespace: 'default', name: 'a' }
const note = { metadata: key, spec: {} }
const of = () => controller('notes').for(Note)

type Work = (context: ReconcileContext, note: Note) => Promise<unknown>
type Note = ObjectOf<typeof Note>

/** A reconcile that does this for a Note that is there. */
function doing(work: Work) {
  return async (request: typeof key, context: ReconcileContext): Promise<void> => {
    const found = await context.client.get(Note, request)
    if (found) await work(context, found)
  }
}

/** Starts the controller, creates a Note, and returns the error that `settle` rejects with. */
async function problemOf(value: Controller): Promise<string | undefined> {
  await using operator = await OperatorTest.start({ kinds: [Note], controllers: [value] })
  await operator.client.create(Secret, { metadata: { ...key, name: 'there' } })
  await operator.client.create(Note, note)
  return await operator.settle().then(
    () => undefined,
    (error: Error & { code: string }) => {
      expect(error.code).toBe('RIGHT_NOT_DECLARED')
      return error.message
    },
  )
}

const ownerReferences = (owner: Note) => [controllerReference(owner)]
const there = { ...key, name: 'there' }
const merge = { type: 'merge', body: { data: { a: 'YQ==' } } } as const

describe('a right that the operator uses and does not declare', () => {
  test.each<[string, Work, string, string]>([
    ['a read', ({ client }) => client.get(Secret, key), '.reads(Secret)', 'GET /api/v1/secrets'],
    [
      'a read of the server',
      ({ client }) => client.live.get(Secret, key),
      '.reads(Secret)',
      'GET /api/v1/namespaces/default/secrets/a',
    ],
    [
      'a create',
      ({ client }) => client.create(Secret, { metadata: key }),
      ".writes(Secret, 'create')",
      'POST /api/v1/namespaces/default/secrets',
    ],
    [
      'an update',
      ({ client }) => client.update(Secret, { metadata: there } as never),
      ".writes(Secret, 'update')",
      'PUT /api/v1/namespaces/default/secrets/there',
    ],
    [
      'a patch',
      ({ client }) => client.patch(Secret, there, merge),
      ".writes(Secret, 'patch')",
      'PATCH /api/v1/namespaces/default/secrets/there',
    ],
    [
      'an apply',
      ({ client }) => client.apply(Secret, { metadata: key }, { dryRun: true }),
      ".writes(Secret, 'apply')",
      'PATCH /api/v1/namespaces/default/secrets/a',
    ],
    [
      'a delete',
      ({ client }) => client.delete(Secret, there),
      ".writes(Secret, 'delete')",
      'DELETE /api/v1/namespaces/default/secrets/there',
    ],
    [
      'a delete of all',
      ({ client }) => client.deleteAllOf(Secret, { namespace: 'default' }),
      ".writes(Secret, 'deleteAllOf')",
      'DELETE /api/v1/namespaces/default/secrets',
    ],
    [
      'a status',
      ({ client }) => client.status.apply(Note, key, { text: 'seen' }),
      ".writes(Note, 'status.apply')",
      'PATCH /apis/test.homeostat.dev/v1/namespaces/default/notes/a/status',
    ],
    [
      'a part of an object',
      ({ client }) =>
        client.subresource('eviction').create(Pod, key, { apiVersion: 'policy/v1', kind: 'Eviction' }),
      ".writes(Pod, 'eviction.create')",
      'POST /api/v1/namespaces/default/pods/a/eviction',
    ],
  ])('fails the test with the line to add: %s', async (_, work, line, request) => {
    const problem = await problemOf(of().reconcile(doing(work)))
    expect(problem).toContain('the controller notes')
    expect(problem).toContain(request)
    expect(problem).toContain(`add ${line}`)
  })

  test('is reported once, also where the reconcile catches the error', async () => {
    const silent = of().reconcile(
      doing(async ({ client }) => {
        const creating = client.create(Secret, { metadata: key })
        await expect(creating).rejects.toSatisfy(isForbidden)
      }),
    )
    await using operator = await OperatorTest.start({ kinds: [Note], controllers: [silent] })
    await operator.client.create(Note, note)
    await expect(operator.settle()).rejects.toThrow("add .writes(Secret, 'create')")
    await expect(operator.settle()).resolves.toBeUndefined()
  })

  test('of a helper is reported with the line that declares it', async () => {
    const finalizers = new FinalizerRegistry(Note).register('test.dev/a', () => {})
    const finalizing = of().reconcile(
      doing((context, found) => finalizers.finalize(context.client, found, context)),
    )
    expect(await problemOf(finalizing)).toMatch(/add \.uses\(finalizers\), .*\.writes\(Note, 'patch'\)/)
    const owning = of()
      .writes(Secret, 'create')
      .reconcile(
        doing(({ client }, owner) =>
          client.create(Secret, { metadata: { ...key, ownerReferences: ownerReferences(owner) } }),
        ),
      )
    expect(await problemOf(owning)).toContain("add .owns(Secret), or .writes(Note, 'finalizers.update')")
    const adopting = of()
      .owns(Secret)
      .writes(Secret, 'patch')
      .reconcile(
        doing(({ client }, owner) =>
          client.patch(Secret, there, {
            type: 'merge',
            body: { metadata: { ownerReferences: ownerReferences(owner) } },
          }),
        ),
      )
    expect(await problemOf(adopting)).toContain("add .writes(Secret, 'delete')")
  })

  test('to grant rights is reported with its own verb', async () => {
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]
    const granting = of()
      .writes(ClusterRole, 'create')
      .reconcile(doing(({ client }) => client.create(ClusterRole, { metadata: { name: 'x' }, rules })))
    expect(await problemOf(granting)).toContain("add .writes(ClusterRole, 'escalate')")
    const roleRef = {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'cluster-admin',
    } as const
    const binding = of()
      .writes(RoleBinding, 'create')
      .reconcile(doing(({ client }) => client.create(RoleBinding, { metadata: key, roleRef })))
    expect(await problemOf(binding)).toContain("add .writes(ClusterRole, 'bind')")
  })

  test('fails nothing where the test asks for all rights', async () => {
    const creating = of().reconcile(doing(({ client }) => client.apply(Secret, { metadata: key })))
    await using operator = await OperatorTest.start({
      kinds: [Note],
      controllers: [creating],
      rights: 'all',
    })
    await operator.client.create(Note, note)
    await operator.settle()
    expect(await operator.client.get(Secret, key)).toBeDefined()
  })
})

describe('the declared rights', () => {
  test('are enough for the helpers: one word declares all requests of each', async () => {
    const finalizers = new FinalizerRegistry(Note).register('test.dev/a', () => {})
    const working = of()
      .owns(Secret)
      .uses(finalizers)
      .writes(ConfigMap, 'createOrUpdate')
      .writes(Secret, 'apply')
      .writes(Deployment, 'scale.apply')
      .writes(Note, 'status.apply')
      .reconcile(async (request, context) => {
        const { client, events } = context
        const found = await client.get(Note, request)
        if (!found) return
        const { deleting, object } = await finalizers.finalize(client, found, context)
        if (deleting) return
        const metadata = { ...request, ownerReferences: [controllerReference(object)] }
        await createOrUpdate(client, ConfigMap, request, (draft) => {
          draft.data = { text: found.spec.text }
          draft.metadata.ownerReferences = [controllerReference(object)]
        })
        await client.apply(Secret, { metadata })
        if (await client.live.get(Deployment, request))
          await client.scale.apply(Deployment, request, { replicas: 2 })
        await client.status.apply(Note, request, { text: 'seen' })
        events.normal(object, 'Seen', 'it was seen')
      })
    await using operator = await OperatorTest.start({
      kinds: [Note],
      controllers: [working],
      manager: { leaderElection: { name: 'notes', namespace: 'default' } },
    })
    const labels = { app: 'a' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } }
    await operator.client.create(Deployment, {
      metadata: key,
      spec: { selector: { matchLabels: labels }, template },
    })
    await operator.client.create(Note, note)
    await operator.settle()
    await operator.client.patch(Note, key, { type: 'merge', body: { spec: { text: 'new' } } })
    await operator.advance('1m')
    expect((await operator.client.getOrThrow(Deployment, key)).spec.replicas).toBe(2)
    expect((await operator.client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'new' })
    expect(await operator.client.get(Lease, { namespace: 'default', name: 'notes' })).toBeDefined()
    await operator.client.delete(Note, key)
    await operator.settle()
    expect(await operator.client.get(Note, key)).toBeUndefined()
    await operator.restart()
    await operator.crash()
    await operator.advance('1m')
  })

  test('can be RBAC rules, and can be added while the manager runs', async () => {
    const late = controller('late')
      .for(Note)
      .rules({ apiGroups: [''], resources: ['secrets'], verbs: ['create'] })
      .reconcile(doing(({ client }) => client.create(Secret, { metadata: key })))
    let add = (): unknown => undefined
    await using operator = await OperatorTest.start({
      kinds: [Note],
      controllers: [],
      setup: (manager) => (add = () => manager.add(late)),
    })
    await operator.client.create(Note, note)
    add()
    await operator.settle()
    expect(await operator.client.get(Secret, key)).toBeDefined()
  })
})

describe('a runnable', () => {
  const creating: Runnable = async ({ client }) => void (await client.create(Secret, { metadata: key }))

  test('runs under its own declaration, in each process', async () => {
    let runs = 0
    await using operator = await OperatorTest.start({
      controllers: [],
      setup: (manager) =>
        manager.addRunnable(
          'seed',
          async ({ client }) => void (runs++, await client.apply(Secret, { metadata: key })),
          {
            access: [{ kind: Secret, verbs: ['apply'] }],
          },
        ),
    })
    expect(await operator.client.get(Secret, key)).toBeDefined()
    await operator.restart()
    expect(runs).toBe(2)
  })

  test('that does not declare its rights fails the test with what to add', async () => {
    const starting = OperatorTest.start({
      controllers: [],
      setup: (manager) =>
        manager.addRunnable('seed', (context) => Promise.resolve(creating(context)).catch(() => {})),
    })
    await expect(starting).rejects.toThrow(
      /the runnable seed: POST .*\n.*add access: \[\{ kind: Secret, verbs: \['create'\] \}\]/,
    )
  })
})

test('several versions of a kind are one definition, the last of them stored', async () => {
  const reading = controller('notes')
    .for(NoteV2)
    .writes(NoteV2, 'status.apply')
    .reconcile(async (request, { client }) => {
      const found = await client.get(NoteV2, request)
      if (found) await client.status.apply(NoteV2, request, { text: found.apiVersion })
    })
  await using operator = await OperatorTest.start({ kinds: [Note, NoteV2], controllers: [reading] })
  await operator.client.create(Note, note)
  await operator.settle()
  const read = await operator.client.getOrThrow(Note, key)
  expect(read.apiVersion).toBe('test.homeostat.dev/v1')
  expect(read.status?.text).toBe('test.homeostat.dev/v2')
})
