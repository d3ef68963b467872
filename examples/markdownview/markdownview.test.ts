import { OperatorTest } from '@homeostat/cluster/testing'
import { ConfigMap, Deployment, Event, Service } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { markdownView } from './controller.ts'
import { MarkdownView } from './markdown-view.ts'

const namespace = 'default'
const key = { namespace, name: 'book' }
const viewer = { namespace, name: 'viewer-book' }

describe('MarkdownView', () => {
  it('makes its three objects once, whatever the server fills in', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    expect(test.writes()).toEqual([
      'create configmaps default',
      'patch deployments default/viewer-book',
      'patch services default/viewer-book',
      'patch markdownviews/status default/book',
    ])
    const deployment = await test.client.getOrThrow(Deployment, viewer)
    expect(deployment.spec).toMatchObject({ progressDeadlineSeconds: 600, revisionHistoryLimit: 10 })
    expect((await test.client.getOrThrow(Service, viewer)).spec?.ports).toMatchObject([
      { port: 80, targetPort: 'http' },
    ])
    await test.expectNoWrites()
  })

  it('is in exactly one state: not ready, available, healthy', async () => {
    await using test = await start()
    await create(test, 2)
    await test.settle()
    expect(await states(test)).toEqual(['NotReady'])
    await available(test, 1)
    expect(await states(test)).toEqual(['Available'])
    await available(test, 2)
    expect(await states(test)).toEqual(['Healthy'])
    await available(test, 0)
    expect(await states(test)).toEqual(['NotReady'])
  })

  it('follows an edit, a file that is gone included', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    const body = { spec: { markdowns: { 'README.md': null, 'page.md': '# Page' } } }
    await test.client.patch(MarkdownView, key, { type: 'merge', body })
    await test.settle()
    const configMap = await test.client.getOrThrow(ConfigMap, { namespace, name: 'markdowns-book' })
    expect(configMap.data).toEqual({ 'page.md': '# Page' })
  })

  it('does not fight for a field that another has set: an event says whose it is', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    const patch = { type: 'merge', body: { spec: { replicas: 5 } } } as const
    await test.client.patch(Deployment, viewer, patch, { fieldManager: 'autoscaler' })
    await test.advance('7s')
    expect((await test.client.getOrThrow(Deployment, viewer)).spec.replicas).toBe(5)
    const failures = test.reports.filter(({ result }) => result === 'error')
    expect(failures.map(({ next }) => next)).toEqual([1_000, 2_000, 4_000, 8_000])
    const [event] = await test.client.list(Event, { namespace })
    expect(event).toMatchObject({ type: 'Warning', reason: 'ApplyConflict', regarding: { name: 'book' } })
    expect(event?.note).toMatch(/conflict with "autoscaler".*\.spec\.replicas/s)
  })
})

function start() {
  return OperatorTest.start({ kinds: [MarkdownView], controllers: [markdownView] })
}

function create(test: OperatorTest, replicas = 1) {
  const spec = { markdowns: { 'README.md': '# Hello' }, replicas }
  return test.client.create(MarkdownView, { metadata: key, spec })
}

/** Writes what the controller of Deployments would. */
async function available(test: OperatorTest, count: number): Promise<void> {
  const status = { replicas: 2, readyReplicas: count, availableReplicas: count }
  await test.client.status.patch(Deployment, viewer, { type: 'merge', body: { status } })
  await test.settle()
}

async function states(test: OperatorTest): Promise<string[]> {
  const { status } = await test.client.getOrThrow(MarkdownView, key)
  return (status?.conditions ?? []).filter(({ status }) => status === 'True').map(({ type }) => type)
}
