// Checks the official JavaScript client with a server. Each check is reported as a line of JSON.
import {
  ApiextensionsV1Api,
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  Watch,
  makeInformer,
  setHeaderOptions,
} from '@kubernetes/client-node'

const config = new KubeConfig()
config.loadFromDefault()
const core = config.makeApiClient(CoreV1Api)
const apps = config.makeApiClient(AppsV1Api)
const custom = config.makeApiClient(CustomObjectsApi)
const definitions = config.makeApiClient(ApiextensionsV1Api)
const anyKind = KubernetesObjectApi.makeApiClient(config)

const namespace = 'client-node'
const group = 'client-node.example.com'
const place = { group, version: 'v1', namespace, plural: 'kites' }

function same(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${a} is not ${b}`)
}

async function refused(code, reason, call) {
  const error = await call().then(
    () => undefined,
    (problem) => problem,
  )
  if (error === undefined) throw new Error('the server did not refuse it')
  const body = typeof error.body === 'string' ? JSON.parse(error.body) : error.body
  same([error.code, body.reason], [code, reason])
}

async function until(what, condition) {
  const deadline = performance.now() + 90_000
  while (performance.now() < deadline) {
    const found = await condition()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`not in 90 s: ${what}`)
}

const configMap = (name, data = {}) => ({ metadata: { name }, data })

const checks = {
  'native objects are created, replaced, patched and deleted': async () => {
    await core.createNamespace({ body: { metadata: { name: namespace } } })
    const made = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { x: '1' }) })
    const replaced = await core.replaceNamespacedConfigMap({
      name: 'a',
      namespace,
      body: { ...made, data: { x: '2' } },
    })
    same(replaced.data, { x: '2' })
    await refused(409, 'Conflict', () =>
      core.replaceNamespacedConfigMap({ name: 'a', namespace, body: { ...made, data: { x: '3' } } }),
    )
    const patched = await core.patchNamespacedConfigMap(
      { name: 'a', namespace, body: { data: { y: '4' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    )
    same(patched.data, { x: '2', y: '4' })
    const byPath = await core.patchNamespacedConfigMap(
      { name: 'a', namespace, body: [{ op: 'remove', path: '/data/x' }] },
      setHeaderOptions('Content-Type', PatchStrategy.JsonPatch),
    )
    same(byPath.data, { y: '4' })
    const applied = await core.patchNamespacedConfigMap(
      {
        name: 'b',
        namespace,
        fieldManager: 'client-node',
        body: { apiVersion: 'v1', kind: 'ConfigMap', ...configMap('b', { k: 'v' }) },
      },
      setHeaderOptions('Content-Type', PatchStrategy.ServerSideApply),
    )
    same(
      applied.metadata.managedFields.map(({ manager }) => manager),
      ['client-node'],
    )
    await core.deleteNamespacedConfigMap({ name: 'a', namespace })
    await refused(404, 'NotFound', () => core.readNamespacedConfigMap({ name: 'a', namespace }))
    await refused(422, 'Invalid', () => core.createNamespacedConfigMap({ namespace, body: configMap('A_') }))
  },
  'a Deployment gets its defaults and is scaled': async () => {
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example/web:1' }] } }
    const made = await apps.createNamespacedDeployment({
      namespace,
      body: { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } },
    })
    same([made.spec.replicas, made.spec.revisionHistoryLimit], [1, 10])
    const scaled = await apps.patchNamespacedDeploymentScale(
      { name: 'web', namespace, body: { spec: { replicas: 4 } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    )
    same(scaled.spec.replicas, 4)
    await apps.deleteNamespacedDeployment({ name: 'web', namespace })
  },
  'a watch follows changes': async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace })
    const seen = []
    const { promise, resolve } = Promise.withResolvers()
    const watching = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion: metadata.resourceVersion, allowWatchBookmarks: true },
      (type, object) => {
        if (object.metadata.name !== 'watched') return
        seen.push([type, object.data.n])
        if (type === 'DELETED') resolve()
      },
      () => resolve(),
    )
    await core.createNamespacedConfigMap({ namespace, body: configMap('watched', { n: '0' }) })
    await core.patchNamespacedConfigMap(
      { name: 'watched', namespace, body: { data: { n: '1' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    )
    await core.deleteNamespacedConfigMap({ name: 'watched', namespace })
    await promise
    watching.abort()
    same(seen, [
      ['ADDED', '0'],
      ['MODIFIED', '1'],
      ['DELETED', '1'],
    ])
  },
  'an informer keeps a copy': async () => {
    const list = () => core.listNamespacedConfigMap({ namespace })
    const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list)
    const events = []
    informer.on('add', ({ metadata }) => events.push(`add ${metadata.name}`))
    informer.on('delete', ({ metadata }) => events.push(`delete ${metadata.name}`))
    informer.on('error', (error) => events.push(`error ${error}`))
    await informer.start()
    try {
      await until('b is in the copy', () => informer.get('b', namespace))
      await core.createNamespacedConfigMap({ namespace, body: configMap('c') })
      await until('c was added', () => events.includes('add c'))
      await core.deleteNamespacedConfigMap({ name: 'c', namespace })
      await until('c was deleted', () => events.includes('delete c'))
      same(
        events.filter((event) => event.startsWith('error')),
        [],
      )
    } finally {
      await informer.stop()
    }
  },
  'a definition is created, and objects of the kind': async () => {
    const spec = { type: 'object', properties: { tail: { type: 'integer', _default: 3, minimum: 1 } } }
    const status = { type: 'object', x_kubernetes_preserve_unknown_fields: true }
    await definitions.createCustomResourceDefinition({
      body: {
        metadata: { name: `kites.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'kites', kind: 'Kite' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
            },
          ],
        },
      },
    })
    const body = { apiVersion: `${group}/v1`, kind: 'Kite', metadata: { name: 'a' }, spec: {} }
    const made = await until('kites are served', () =>
      custom.createNamespacedCustomObject({ ...place, body }).catch((error) => {
        if (error.code !== 404) throw error
      }),
    )
    same(made.spec, { tail: 3 })
    await custom.patchNamespacedCustomObjectStatus(
      { ...place, name: 'a', body: { status: { height: 20 } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    )
    const found = await custom.getNamespacedCustomObject({ ...place, name: 'a' })
    same([found.spec, found.status, found.metadata.generation], [{ tail: 3 }, { height: 20 }, 1])
    await refused(422, 'Invalid', () =>
      custom.createNamespacedCustomObject({
        ...place,
        body: { ...body, metadata: { name: 'b' }, spec: { tail: 0 } },
      }),
    )
  },
  'the client of any kind discovers, applies, lists and deletes': async () => {
    const kite = {
      apiVersion: `${group}/v1`,
      kind: 'Kite',
      metadata: { name: 'z', namespace },
      spec: { tail: 9 },
    }
    await anyKind.create(kite)
    const changed = await anyKind.patch(
      { ...kite, spec: { tail: 10 } },
      undefined,
      undefined,
      'me',
      true,
      PatchStrategy.ServerSideApply,
    )
    same(changed.spec, { tail: 10 })
    const { items } = await anyKind.list(`${group}/v1`, 'Kite', namespace)
    same(
      items.map(({ metadata }) => metadata.name),
      ['a', 'z'],
    )
    await anyKind.delete(kite)
  },
  'reviews are answered': async () => {
    const review = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({
      body: { spec: { resourceAttributes: { namespace, verb: 'list', resource: 'pods' } } },
    })
    same(review.status.allowed, true)
  },
  'all of it is deleted': async () => {
    await definitions.deleteCustomResourceDefinition({ name: `kites.${group}` })
    await core.deleteNamespace({ name: namespace })
  },
}

function report(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

for (const [check, run] of Object.entries(checks)) {
  try {
    await run()
    report({ check })
  } catch (error) {
    report({ check, problem: String(error) })
  }
}
process.exit()
