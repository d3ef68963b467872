import { OperatorTest } from '@homeostat/cluster/testing'
import {
  cacheKind,
  controller,
  controllerReference,
  customResourceDefinition,
  defineKind,
  every,
  findCondition,
  isConditionTrue,
  keyOf,
  Manager,
  metadataOnly,
  recordRules,
  schema as s,
  setCondition,
  type ObjectOf,
  type PolicyRule,
  type RecordingTransport,
} from 'homeostat'
import { ConfigMap, Deployment, Namespace, Secret, type CoreV1 } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }
const spec = { name: 'world' }

test('a condition keeps the time of its last transition', async () => {
  // #region conditions
  const Poster = defineKind({
    group: 'guide.example.com',
    version: 'v1',
    kind: 'Poster',
    spec: s.object({ text: s.string() }),
    status: s.object({ conditions: s.conditions() }),
  })
  const printer = controller('printer')
    .for(Poster)
    .writes(Poster, 'status.apply')
    .reconcile(async (request, { client, clock }) => {
      const poster = await client.get(Poster, request)
      if (!poster) return
      const ready =
        poster.spec.text === ''
          ? ({ type: 'Ready', status: 'False', reason: 'Empty', message: 'there is no text' } as const)
          : ({ type: 'Ready', status: 'True', reason: 'Printed' } as const)
      const conditions = setCondition(poster.status?.conditions, ready, clock)
      await client.status.apply(Poster, request, { conditions })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Poster], controllers: [printer] })
  const conditions = async () => (await test.client.getOrThrow(Poster, key)).status?.conditions
  const write = async (text: string) => {
    await test.advance('1m')
    await test.client.patch(Poster, key, { type: 'merge', body: { spec: { text } } })
    await test.settle()
  }
  // #region conditions-kept
  await test.client.create(Poster, { metadata: key, spec: { text: 'Hello!' } })
  await test.settle()
  expect(isConditionTrue(await conditions(), 'Ready')).toBe(true)
  const since = findCondition(await conditions(), 'Ready')?.lastTransitionTime
  await write('Hello again!')
  expect(findCondition(await conditions(), 'Ready')?.lastTransitionTime).toBe(since)
  await write('')
  expect(findCondition(await conditions(), 'Ready')).toMatchObject({ status: 'False', reason: 'Empty' })
  // #endregion
})

test('the metadata alone, and a read of the server', async () => {
  let kept: unknown
  // #region metadata
  const Labels = metadataOnly(Secret)
  const counting = controller('counting')
    .for(Greeting)
    .watches(Labels, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
    .writes(Greeting, 'status.apply')
    .reconcile(async (request, { client }) => {
      if (!(await client.get(Greeting, request))) return
      const labels = await client.get(Labels, request) // from the cache: metadata, and no data
      const secret = labels && (await client.live.get(Secret, request)) // from the server, this one alone
      const text = secret ? `${Object.keys(secret.data ?? {}).length} words` : 'no words'
      await client.status.apply(Greeting, request, { text })
    })
  // #endregion
  const watching = controller('watching')
    .for(ConfigMap)
    .watches(Labels, (object) => void (kept = object))
    .reconcile(() => {})
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [counting, watching] })
  await test.client.create(Greeting, { metadata: key, spec })
  await test.client.create(Secret, { metadata: key, data: { word: 'SGVsbG8=' } })
  await test.settle()
  expect((await test.client.getOrThrow(Greeting, key)).status?.text).toBe('1 words')
  expect(kept).not.toHaveProperty('data')
})

test('a kind of metadata is reconciled, indexed, listed and named like any other', async () => {
  // #region metadata-kind
  const SecretMetadata = metadataOnly(Secret)
  type SecretMetadata = ObjectOf<typeof SecretMetadata>

  const teamOf = ({ metadata }: SecretMetadata) => metadata.labels?.['guide.example.com/team']
  const cleaning = controller('cleaning')
    .for(SecretMetadata)
    .indexes(SecretMetadata, { team: teamOf })
    .writes(Secret, 'delete')
    .reconcile(async (request, { client }) => {
      const secret = await client.get(SecretMetadata, request)
      const team = secret && teamOf(secret)
      if (!team) return
      const all = await client.list(SecretMetadata, { namespace: request.namespace, fields: { team } })
      const byName = all.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name))
      for (const { metadata } of byName.slice(0, -3)) await client.delete(Secret, keyOf({ metadata }))
    })
  // #endregion
  await using test = await OperatorTest.start({ controllers: [cleaning] })
  const labels = { 'guide.example.com/team': 'blue' }
  for (const name of ['a1', 'a2', 'a3', 'a4']) {
    await test.client.create(Secret, { metadata: { ...key, name, labels } })
    await test.settle()
  }
  const kept = await test.client.list(Secret)
  expect(kept.map(({ metadata }) => metadata.name)).toEqual(['a2', 'a3', 'a4'])
  expect(test.findings).toEqual([])
})

test('an apply beside a watch of metadata starts no full watch', async () => {
  // #region metadata-apply
  const naming = controller('naming')
    .for(Greeting)
    .owns(metadataOnly(Secret))
    .writes(Secret, 'apply')
    .reconcile(async (request, { client }) => {
      const greeting = await client.get(Greeting, request)
      if (!greeting) return
      const metadata = { ...request, ownerReferences: [controllerReference(greeting)] }
      await client.apply(Secret, { metadata, data: { name: btoa(greeting.spec.name) } })
    })
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [naming] })
  await test.client.create(Greeting, { metadata: key, spec })
  await test.settle()
  await test.client.delete(Secret, key)
  await test.settle()
  expect(test.writes()).toEqual(['patch secrets default/hello', 'patch secrets default/hello'])
  // #region metadata-findings
  await test.expectNoWrites()
  expect(test.findings).toEqual([])
  // #endregion
})

test('what is kept, and of which namespaces', async () => {
  const seen: string[] = []
  const looking = controller('looking')
    .for(ConfigMap)
    .reads(Secret)
    .reconcile(async ({ namespace, name }, { client }) => {
      if (name !== 'hello') return
      const secret = await client.get(Secret, { namespace, name })
      seen.push(`${namespace}: ${secret?.metadata.name ?? 'none'}`)
    })
  // #region namespaces
  const cache = {
    namespaces: ['team-a', 'team-b'],
    kinds: [
      cacheKind(Secret, { readLive: true }), // never kept: each read asks the server
      cacheKind(ConfigMap, { labels: { 'guide.example.com/greeting': 'yes' } }), // only those with the label
    ],
  }
  await using test = await OperatorTest.start({ controllers: [looking], manager: { cache } })
  // #endregion
  const labels = { 'guide.example.com/greeting': 'yes' }
  for (const namespace of ['team-a', 'team-b', 'team-c']) {
    await test.client.create(Namespace, { metadata: { name: namespace } })
    await test.client.create(ConfigMap, { metadata: { namespace, name: 'hello', labels } })
    await test.client.create(ConfigMap, { metadata: { namespace, name: 'without-label' } })
  }
  await test.settle()
  expect(seen.toSorted()).toEqual(['team-a: none', 'team-b: none'])
})

test('events of a storm become one reconcile, and starts can be limited', async () => {
  // #region pace
  const calm = controller('calm')
    .for(Greeting)
    .options({
      debounce: '2s', // waits for further events, counted from the first one
      minInterval: '10s', // between two reconciles of one object
      maxReconcilesPerSecond: 50, // of all objects together
      maxConcurrentReconciles: 4,
      retries: { base: '100ms', max: '1m' }, // after failures
    })
    .reconcile(() => {})
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [calm] })
  // #region paced
  await test.client.create(Greeting, { metadata: key, spec })
  for (let times = 2; times <= 20; times++) {
    await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { times } } })
    await test.advance('100ms')
  }
  expect(test.reports.length).toBe(0)
  await test.advance('1s')
  expect(test.reports.length).toBe(1)
  await test.client.patch(Greeting, key, { type: 'merge', body: { spec: { times: 1 } } })
  await test.advance('5s')
  expect(test.reports.length).toBe(1)
  await test.advance('5s')
  expect(test.reports.length).toBe(2)
  // #endregion
})

test('a timer asks for requests', async () => {
  // #region every
  const hourly = controller('hourly')
    .for(Greeting)
    .watches(every('1h'), () => ({ namespace: 'default', name: 'hello' }))
    .reconcile(() => {})
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [hourly] })
  await test.advance('3h')
  expect(test.reports.length).toBe(3)
})

test('a runnable runs beside the controllers', async () => {
  // #region runnable
  await using test = await OperatorTest.start({
    kinds: [Greeting],
    controllers: [greeting],
    setup: (manager) =>
      manager.addRunnable(
        'first-greeting',
        async ({ client, log }) => {
          await client.apply(Greeting, { metadata: key, spec: { name: 'world' } })
          log.info('there is a greeting')
        },
        { access: [{ kind: Greeting, verbs: ['apply'] }] },
      ),
  })
  expect((await test.client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'Hello, world!' })
  // #endregion
})

test('several versions of a kind are one definition', async () => {
  // #region versions
  const GreetingV2 = defineKind({
    group: 'guide.example.com',
    version: 'v2',
    kind: 'Greeting',
    spec: s.object({ name: s.string(), times: s.integer().default(1), tone: s.string().optional() }),
    status: s.object({ text: s.string().optional() }),
  })
  const { spec: definition } = customResourceDefinition([Greeting, GreetingV2])
  expect(definition.versions.map(({ name, storage }) => [name, storage])).toEqual([
    ['v1', false],
    ['v2', true],
  ])
  // #endregion
  await using test = await OperatorTest.start({ kinds: [Greeting, GreetingV2], controllers: [] })
  await test.client.create(GreetingV2, { metadata: key, spec: { name: 'world', tone: 'warm' } })
  expect((await test.client.getOrThrow(Greeting, key)).spec.name).toBe('world')
})

test('rights that are declared and never used are found', async () => {
  let recorder: RecordingTransport | undefined
  // #region unused
  const generous = controller('generous')
    .for(Greeting)
    .writes(ConfigMap, 'apply', 'delete')
    .reconcile(async (request, { client }) => {
      if (await client.get(Greeting, request)) await client.apply(ConfigMap, { metadata: request })
    })
  await using test = await OperatorTest.start({
    kinds: [Greeting],
    controllers: [generous],
    transport: (inner) => (recorder = recordRules(inner)),
  })
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  const declared = verbsOf(new Manager().add(generous).rules(), 'configmaps')
  const used = verbsOf(recorder?.rules() ?? [], 'configmaps')
  expect(declared.filter((verb) => !used.includes(verb))).toEqual(['get', 'delete'])
  // #endregion
})

function verbsOf(rules: readonly PolicyRule[], resource: string): string[] {
  return rules.filter(({ resources }) => resources.includes(resource)).flatMap(({ verbs }) => verbs)
}

test('a helper makes a part of a native object', async () => {
  // #region parts
  function podSpec(image: string): CoreV1.PodSpec {
    return { containers: [{ name: 'web', image, imagePullPolicy: 'IfNotPresent' }] }
  }
  // #endregion
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: podSpec('busybox') }
  await using test = await OperatorTest.start({ controllers: [] })
  const wanted = { metadata: key, spec: { selector: { matchLabels: labels }, template } }
  const { spec: made } = await test.client.apply(Deployment, wanted)
  expect(made.template.spec?.containers[0]?.imagePullPolicy).toBe('IfNotPresent')
})
