import { markdownView, MarkdownView } from '@homeostat/example-markdownview'
import { findCondition } from 'homeostat'
import { ConfigMap, Deployment, Pod, Service } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { runOperator, type RunningOperator } from './operator.ts'

const MARKDOWNS = { 'SUMMARY.md': '- [One](one.md)', 'one.md': '# One' }

describe('MarkdownView', () => {
  it('makes a ConfigMap, a Deployment and a Service that it controls', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runOperator(server, markdownView)
    const view = await create(server)
    await quiet(server, operator)

    const owner = [
      {
        apiVersion: 'view.zoetrope.github.io/v1',
        kind: 'MarkdownView',
        name: 'sample',
        uid: view.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]
    const configMap = await server.client.getOrThrow(ConfigMap, key(server, 'markdowns-sample'))
    expect(configMap.data).toEqual(MARKDOWNS)
    expect(configMap.metadata.ownerReferences).toEqual(owner)
    const deployment = await server.client.getOrThrow(Deployment, key(server, 'viewer-sample'))
    expect(deployment.metadata.ownerReferences).toEqual(owner)
    expect(deployment.spec).toMatchObject({
      replicas: 1,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    })
    expect(deployment.spec.template.spec).toMatchObject({
      dnsPolicy: 'ClusterFirst',
      containers: [
        {
          name: 'mdbook',
          image: 'peaceiris/mdbook:latest',
          imagePullPolicy: 'IfNotPresent',
          command: ['mdbook'],
          args: ['serve', '--hostname', '0.0.0.0'],
          ports: [{ name: 'http', containerPort: 3000, protocol: 'TCP' }],
          readinessProbe: { httpGet: { path: '/', port: 'http', scheme: 'HTTP' }, failureThreshold: 3 },
          terminationMessagePath: '/dev/termination-log',
        },
      ],
      volumes: [{ name: 'markdowns', configMap: { name: 'markdowns-sample', defaultMode: 420 } }],
    })
    const service = await server.client.getOrThrow(Service, key(server, 'viewer-sample'))
    expect(service.metadata.ownerReferences).toEqual(owner)
    expect(service.spec).toMatchObject({
      type: 'ClusterIP',
      ports: [{ port: 80, targetPort: 'http', protocol: 'TCP' }],
      selector: { 'app.kubernetes.io/instance': 'sample' },
    })
  })

  it('sends nothing in a second reconcile, nor in the first one of a new process', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await create(server)
    {
      await using operator = await runOperator(server, markdownView)
      await quiet(server, operator)
      expect(operator.writes).toEqual([
        'POST configmaps',
        'PATCH deployments/viewer-sample',
        'PATCH services/viewer-sample',
        'PATCH markdownviews/sample/status',
      ])
      await nudge(server, operator)
      expect(operator.writes).toHaveLength(4)
    }
    await using next = await runOperator(server, markdownView)
    await server.until('the first reconcile of the new process', async () => next.reports.length > 0)
    expect(next.writes).toEqual([])
  })

  it('leaves alone what others add to its objects, and sends nothing for it', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runOperator(server, markdownView)
    await create(server)
    await quiet(server, operator)
    const written = operator.writes.length
    const body = { metadata: { labels: { team: 'docs' }, annotations: { 'deploy-tool/revision': '7' } } }
    for (const [kind, name] of [
      [Deployment, 'viewer-sample'],
      [Service, 'viewer-sample'],
      [ConfigMap, 'markdowns-sample'],
    ] as const) {
      await server.client.patch(kind, key(server, name), { type: 'merge', body })
    }
    await server.client.patch(Deployment, key(server, 'viewer-sample'), {
      type: 'merge',
      body: { spec: { minReadySeconds: 1 } },
    })
    await nudge(server, operator)
    expect(operator.writes.slice(written)).toEqual([])
    const deployment = await server.client.getOrThrow(Deployment, key(server, 'viewer-sample'))
    expect(deployment.metadata.labels).toMatchObject({ team: 'docs' })
    expect(deployment.spec.minReadySeconds).toBe(1)
  })

  it('heals what another manager has set otherwise', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runOperator(server, markdownView)
    await create(server)
    await quiet(server, operator)
    const viewer = key(server, 'viewer-sample')
    const patch = { type: 'merge', body: { spec: { replicas: 5 } } } as const
    await server.client.patch(Deployment, viewer, patch, { fieldManager: 'kubectl-edit' })
    await server.until('the edit to be healed', async () => {
      return (await server.client.getOrThrow(Deployment, viewer)).spec.replicas === 1
    })
    expect(operator.reports.filter(({ error }) => error)).toEqual([])
  })

  it('follows an edit, and brings back what was deleted', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runOperator(server, markdownView)
    await create(server)
    await quiet(server, operator)
    await server.client.patch(MarkdownView, key(server, 'sample'), {
      type: 'merge',
      body: { spec: { markdowns: { 'one.md': '# Edited', 'two.md': '# Two' }, replicas: 2 } },
    })
    await server.until('the edit to arrive', async () => {
      const configMap = await server.client.get(ConfigMap, key(server, 'markdowns-sample'))
      const deployment = await server.client.get(Deployment, key(server, 'viewer-sample'))
      return (
        configMap?.data?.['two.md'] === '# Two' &&
        configMap.data['one.md'] === '# Edited' &&
        deployment?.spec.replicas === 2
      )
    })
    for (const [kind, name] of [
      [Deployment, 'viewer-sample'],
      [Service, 'viewer-sample'],
      [ConfigMap, 'markdowns-sample'],
    ] as const) {
      const before = await server.client.getOrThrow(kind, key(server, name))
      await server.client.delete(kind, key(server, name))
      const after = await server.until(`${kind.kind} to come back`, async () => {
        const now = await server.client.get(kind, key(server, name))
        return now?.metadata.uid !== before.metadata.uid && now
      })
      expect(after.metadata.ownerReferences).toEqual(before.metadata.ownerReferences)
    }
  })

  it('leaves alone a view that is being deleted', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runOperator(server, markdownView)
    await create(server)
    await quiet(server, operator)
    const view = key(server, 'sample')
    const finalizers = (names: string[]) =>
      server.client.patch(MarkdownView, view, { type: 'merge', body: { metadata: { finalizers: names } } })
    await finalizers(['example.com/kept-by-the-test'])
    await server.client.delete(MarkdownView, view)
    await server.until('the operator to see it', async () =>
      operator.reports.some((report) => report.causes.some((cause) => cause.type === 'deleting')),
    )
    await server.client.delete(Service, key(server, 'viewer-sample'))
    const written = operator.writes.length
    await nudge(server, operator)
    expect(operator.writes.slice(written)).toEqual([])
    expect(await server.client.get(Service, key(server, 'viewer-sample'))).toBeUndefined()
    await finalizers([])
    await server.until(
      'the view to go',
      async () => (await server.client.get(MarkdownView, view)) === undefined,
    )
  })

  it('reports its state from the Deployment, as conditions and as a gauge, and takes the gauge away in the end', async () => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    await using operator = await runOperator(server, markdownView)
    await create(server, { replicas: 2 })
    await server.until('NotReady', () => isIn(server, 'NotReady'))
    await makeAvailable(server, 1)
    await server.until('Available', () => isIn(server, 'Available'))
    await makeAvailable(server, 2)
    await server.until('Healthy', () => isIn(server, 'Healthy'))
    const labels = `name="sample",namespace="${server.namespace}"`
    const gauge = (state: string, value: number) => `markdownview_status{${labels},state="${state}"} ${value}`
    await server.until('the gauge', async () => operator.metrics().includes(gauge('Healthy', 1)))
    expect(operator.metrics()).toContain(gauge('NotReady', 0))
    await server.client.delete(MarkdownView, key(server, 'sample'))
    await server.until('the gauge to go', async () => !operator.metrics().includes(labels))
    if (!server.controllers) return
    await server.until('everything that it owned to go', async () => {
      const left = await Promise.all([
        server.client.get(Deployment, key(server, 'viewer-sample')),
        server.client.get(Service, key(server, 'viewer-sample')),
        server.client.get(ConfigMap, key(server, 'markdowns-sample')),
      ])
      return left.every((object) => object === undefined)
    })
  })

  it.each([
    [
      { markdowns: {} },
      'spec.markdowns: Invalid value: 0: spec.markdowns in body should have at least 1 properties',
    ],
    [
      { markdowns: MARKDOWNS, replicas: 0 },
      'spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1',
    ],
    [{ replicas: 1 }, 'spec.markdowns: Required value'],
    [
      { markdowns: MARKDOWNS, replicas: 'two' },
      'spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ],
  ])('%j is refused, and the field named', async (spec, message) => {
    await using server = await startTestServer({ kinds: [MarkdownView] })
    const body = {
      apiVersion: 'view.zoetrope.github.io/v1',
      kind: 'MarkdownView',
      metadata: { name: 'sample' },
      spec,
    }
    const answer = await server.call(
      'POST',
      `/apis/view.zoetrope.github.io/v1/namespaces/${server.namespace}/markdownviews`,
      { body },
    )
    expect(answer.status).toBe(422)
    expect(answer.body.message).toBe(`MarkdownView.view.zoetrope.github.io "sample" is invalid: ${message}`)
  })
})

function key(server: TestServer, name: string) {
  return { namespace: server.namespace, name }
}

function create(server: TestServer, spec: { replicas?: number } = {}) {
  return server.client.create(MarkdownView, {
    metadata: key(server, 'sample'),
    spec: { markdowns: MARKDOWNS, ...spec },
  })
}

async function isIn(server: TestServer, state: string) {
  const view = await server.client.get(MarkdownView, key(server, 'sample'))
  return findCondition(view?.status?.conditions, state)?.status === 'True'
}

/** Waits until the operator has written its status and the reconcile after that had nothing to do. */
async function quiet(server: TestServer, operator: RunningOperator): Promise<void> {
  await server.until('the status', async () => operator.writes.includes('PATCH markdownviews/sample/status'))
  await nudge(server, operator)
}

/** Makes the operator look again: an annotation on its object is an event. */
async function nudge(server: TestServer, operator: RunningOperator): Promise<void> {
  const { metadata } = await server.client.getOrThrow(MarkdownView, key(server, 'sample'))
  const turn = String(Number(metadata.annotations?.['turn'] ?? 0) + 1)
  const before = operator.reports.length
  await server.client.patch(MarkdownView, key(server, 'sample'), {
    type: 'merge',
    body: { metadata: { annotations: { turn } } },
  })
  await server.until('another reconcile', async () =>
    operator.reports
      .slice(before)
      .some((report) =>
        report.causes.some((cause) => cause.type === 'updated' && cause.kind === 'MarkdownView'),
      ),
  )
}

/** Plays the node: with the Deployment's controller by Pods that are ready, without it by the Deployment's status. */
async function makeAvailable(server: TestServer, count: number): Promise<void> {
  if (!server.controllers) {
    const status = { replicas: 2, readyReplicas: count, availableReplicas: count, updatedReplicas: 2 }
    await server.client.status.patch(Deployment, key(server, 'viewer-sample'), {
      type: 'merge',
      body: { status },
    })
    return
  }
  const pods = await server.until('the Pods', async () => {
    const all = await server.client.list(Pod, { namespace: server.namespace })
    return all.length >= 2 && all
  })
  const ready = { type: 'Ready', status: 'True' as const, lastTransitionTime: '2026-01-01T00:00:00Z' }
  for (const pod of pods.slice(0, count)) {
    await server.client.status.patch(Pod, key(server, pod.metadata.name), {
      type: 'merge',
      body: { status: { phase: 'Running', conditions: [ready] } },
    })
  }
}
