import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  customResourceDefinition,
  defineKind,
  schema as s,
  type Kind,
  type NamedTypes,
  type ObjectOf,
} from 'homeostat'
import { Job } from 'homeostat/kinds'
import { JobTemplateSpec, PodTemplateSpec } from 'homeostat/schemas'
import { expect, test } from 'vitest'

// #region kind
const Backup = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Backup',
  spec: s
    .object({
      schedule: s
        .string()
        .minLength(1)
        .maxLength(100)
        .pattern(/^[0-9*/, -]+$/),
      mode: s.enum('Full', 'Incremental').default('Full'),
      keep: s.integer().min(1).max(100).default(7),
      ratio: s.number().greaterThan(0).lessThan(1).optional(),
      paused: s.boolean().default(false),
      labels: s.map(s.string()).maxProperties(10).optional(),
      tags: s.list(s.string()).set().maxItems(5).optional(),
      targets: s
        .list(s.object({ name: s.string(), size: s.quantity().optional() }))
        .mapBy('name')
        .minItems(1),
      port: s.intOrString().optional(),
      since: s.timestamp().nullable().optional(),
      region: s.string().describe('where the copies are kept').immutable(),
    })
    .rule('self.keep > 1 || self.mode == "Full"', 'a single copy must be a full one'),
  status: s.object({ copies: s.integer().default(0), conditions: s.conditions().optional() }),
})
type Backup = ObjectOf<typeof Backup>
// #endregion

const key = { namespace: 'default', name: 'nightly' }
const spec = { schedule: '0 3 * * *', targets: [{ name: 'db' }], region: 'eu' }

// #region named
const snapshot = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Snapshot',
  spec: s.object({ size: s.quantity() }),
})
interface Snapshot extends ObjectOf<typeof snapshot> {}
interface SnapshotTypes extends NamedTypes<typeof snapshot, Snapshot> {}
const Snapshot: Kind<SnapshotTypes> = snapshot
// #endregion

test('a kind with a name is used as any other', async () => {
  await using test = await OperatorTest.start({ kinds: [Snapshot], controllers: [] })
  const made: Snapshot = await test.client.create(Snapshot, { metadata: key, spec: { size: '1Gi' } })
  expect(made.spec.size).toBe('1Gi')
})

test('a schema gives the types, the defaults and the checks', async () => {
  await using test = await OperatorTest.start({ kinds: [Backup], controllers: [] })
  // #region uses
  const made: Backup = await test.client.create(Backup, { metadata: key, spec })
  expect(made.spec).toMatchObject({ mode: 'Full', keep: 7, paused: false })

  const wrong = { ...spec, keep: 0 }
  await expect(
    test.client.create(Backup, { metadata: { ...key, name: 'wrong' }, spec: wrong }),
  ).rejects.toThrow('should be greater than or equal to 1')

  const move = { type: 'merge', body: { spec: { region: 'us' } } } as const
  await expect(test.client.patch(Backup, key, move)).rejects.toThrow('value is immutable')
  // #endregion
  const one = { type: 'merge', body: { spec: { keep: 1, mode: 'Incremental' } } } as const
  await expect(test.client.patch(Backup, key, one)).rejects.toThrow('a single copy must be a full one')
})

test('types of Kubernetes, free parts and reused schemas can be combined', () => {
  // #region native
  const Task = defineKind({
    group: 'guide.example.com',
    version: 'v1',
    kind: 'Task',
    spec: s.object({
      template: s.native(PodTemplateSpec),
      job: s.native(JobTemplateSpec, { required: ['spec'] }),
      settings: s.object({ level: s.integer() }).preserveUnknown(),
      anything: s.any().optional(),
      object: s.embeddedResource().optional(),
      point: s.structural<{ x: number }>({
        type: 'object',
        required: ['x'],
        properties: { x: { type: 'number' } },
      }),
    }),
  })
  // #endregion
  const [version] = customResourceDefinition(Task).spec.versions
  const { properties } = version!.schema.openAPIV3Schema.properties!['spec']!
  expect(properties!['job']!.required).toEqual(['spec'])
  expect(properties!['settings']!['x-kubernetes-preserve-unknown-fields']).toBe(true)
})

test('objects may have keys beside spec and status', async () => {
  // #region fields
  const Palette = defineKind({
    group: 'guide.example.com',
    version: 'v1',
    kind: 'Palette',
    fields: { colors: s.map(s.string()), shared: s.boolean().default(false) },
  })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Palette], controllers: [] })
  const made = await test.client.create(Palette, { metadata: key, colors: { sky: 'blue' } })
  expect([made.colors['sky'], made.shared]).toEqual(['blue', false])
  const applied = await test.client.apply(Palette, { metadata: key, shared: true })
  expect([applied.colors['sky'], applied.shared]).toEqual(['blue', true])
})

// #region options
const Fleet = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Fleet',
  scope: 'Cluster',
  shortNames: ['fl'],
  description: 'Ships of one region.',
  spec: s.object({ region: s.string(), replicas: s.integer().min(0).default(1) }),
  status: s.object({ ready: s.integer().default(0) }),
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.ready' },
  columns: [
    { name: 'Region', type: 'string', path: '.spec.region' },
    { name: 'Ready', type: 'integer', path: '.status.ready' },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
  ],
  selectableFields: ['.spec.region'],
  rules: [{ rule: "self.metadata.name != 'all'", message: "'all' is reserved" }],
})
// #endregion

test('a kind may have no namespace, short names, columns, a scale, field selectors and rules', async () => {
  await using test = await OperatorTest.start({ kinds: [Fleet], controllers: [] })
  const { client } = test
  // #region options-used
  await client.create(Fleet, { metadata: { name: 'north' }, spec: { region: 'eu' } }) // without a namespace
  const wrong = client.create(Fleet, { metadata: { name: 'all' }, spec: { region: 'eu' } })
  await expect(wrong).rejects.toThrow("'all' is reserved")

  const scale = await client.scale.get(Fleet, { name: 'north' })
  expect(scale?.spec).toEqual({ replicas: 1 })
  expect(await client.list(Fleet, { fields: { 'spec.region': 'eu' } })).toHaveLength(1)
  // #endregion
  const { names, scope } = customResourceDefinition(Fleet).spec
  expect([scope, names.plural, names.singular, names.listKind]).toEqual([
    'Cluster',
    'fleets',
    'fleet',
    'FleetList',
  ])
  // @ts-expect-error a Fleet has no namespace
  await expect(client.get(Fleet, { namespace: 'default', name: 'north' })).rejects.toThrow('namespace')
})

test('a test finishes a Job itself', async () => {
  const runner = controller('runner')
    .for(Backup)
    .owns(Job)
    .writes(Job, 'apply')
    .writes(Backup, 'status.apply')
    .reconcile(async (request, { client }) => {
      const backup = await client.get(Backup, request)
      if (!backup) return
      const { apiVersion, kind, metadata } = backup
      const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }
      const containers = [{ name: 'backup', image: 'backup' }]
      const job = await client.apply(Job, {
        metadata: { ...request, ownerReferences: [owner] },
        spec: { template: { spec: { restartPolicy: 'Never', containers } } },
      })
      await client.status.apply(Backup, request, { copies: job.status?.succeeded ?? 0 })
    })
  await using test = await OperatorTest.start({ kinds: [Backup], controllers: [runner] })
  await test.client.create(Backup, { metadata: key, spec })
  await test.settle()
  // #region job
  const now = new Date(test.clock.now()).toISOString().replace('.000', '')
  const done = {
    status: 'True',
    reason: 'Done',
    message: '',
    lastProbeTime: now,
    lastTransitionTime: now,
  } as const
  await test.client.status.apply(Job, key, {
    startTime: now,
    completionTime: now,
    succeeded: 1,
    conditions: [
      { ...done, type: 'SuccessCriteriaMet' },
      { ...done, type: 'Complete' },
    ],
  })
  await test.settle()
  expect((await test.client.getOrThrow(Backup, key)).status?.copies).toBe(1)
  // #endregion
})
