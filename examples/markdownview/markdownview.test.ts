import { controllerReference } from 'homeostat'
import { OperatorTest } from '@homeostat/cluster/testing'
import { ConfigMap, Deployment, Event, Service } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { MarkdownView } from './markdown-view.ts'
import operator from './operator.ts'

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

  it('leaves a ConfigMap of its name alone that another controller owns', async () => {
    await using test = await start()
    const owner = await test.client.create(ConfigMap, { metadata: { namespace, name: 'owner' } })
    const metadata = { namespace, name: 'markdowns-book', ownerReferences: [controllerReference(owner)] }
    const taken = await test.client.create(ConfigMap, { metadata, data: { kept: 'yes' } })
    await create(test)
    await test.advance('5m')
    expect(await test.client.get(ConfigMap, taken.metadata)).toEqual(taken)
    expect(String(test.reports.at(-1)?.error)).toContain('is already controlled by ConfigMap owner')
  })

  it('follows an edit, a file that is gone included', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    const body = {
      spec: { markdowns: { 'hello.md': null, 'SUMMARY.md': '- [Page](page.md)', 'page.md': '# Page' } },
    }
    await test.client.patch(MarkdownView, key, { type: 'merge', body })
    await test.settle()
    const configMap = await test.client.getOrThrow(ConfigMap, { namespace, name: 'markdowns-book' })
    expect(configMap.data).toEqual({ 'SUMMARY.md': '- [Page](page.md)', 'page.md': '# Page' })
  })

  it('heals an edit of what it made, and names in an event who takes a field again and again', async () => {
    await using test = await start()
    await create(test)
    await test.settle()
    const scale = async (fieldManager: string) => {
      const patch = { type: 'merge', body: { spec: { replicas: 5 } } } as const
      await test.client.subresource('scale').patch(Deployment, viewer, patch, { fieldManager })
      await test.settle()
      expect((await test.client.getOrThrow(Deployment, viewer)).spec.replicas).toBe(1)
      return test.client.list(Event, { namespace })
    }
    expect(await scale('kubectl')).toEqual([])
    for (let times = 0; times < 3; times++) await scale('autoscaler')
    const [event] = await scale('autoscaler')
    expect(event).toMatchObject({ type: 'Warning', reason: 'FieldContested', regarding: { name: 'book' } })
    expect(event?.note).toContain('autoscaler keeps changing spec.replicas of Deployment default/viewer-book')
    expect(test.reports.filter(({ error }) => error)).toEqual([])
  })

  it('is refused without a SUMMARY.md, when it is created and when it is changed', async () => {
    await using test = await start()
    const refused = {
      status: {
        code: 422,
        reason: 'Invalid',
        details: {
          causes: [
            {
              reason: 'FieldValueRequired',
              field: 'spec.markdowns[SUMMARY.md]',
              message: 'Required value: it is the table of contents',
            },
          ],
        },
      },
    }
    const creating = test.client.create(MarkdownView, {
      metadata: key,
      spec: { markdowns: { 'hello.md': '# Hello' } },
    })
    await expect(creating).rejects.toMatchObject(refused)
    await create(test)
    const body = { spec: { markdowns: { 'SUMMARY.md': null } } }
    const patching = test.client.patch(MarkdownView, key, { type: 'merge', body })
    await expect(patching).rejects.toMatchObject(refused)
    await test.settle()
    expect(test.reports.filter(({ error }) => error)).toEqual([])
  })

  it('warns of a page that SUMMARY.md does not link, and lets it pass', async () => {
    await using test = await start()
    const path = '/apis/view.zoetrope.github.io/v1/namespaces/default/markdownviews'
    const { code, headers } = await test.environment.call('POST', path, {
      body: {
        apiVersion: 'view.zoetrope.github.io/v1',
        kind: 'MarkdownView',
        metadata: { name: 'book' },
        spec: { markdowns: { 'SUMMARY.md': '- [Hello](hello.md)', 'hello.md': '', 'lost.md': '' } },
      },
    })
    expect([code, headers['warning']]).toEqual([
      201,
      '299 - "spec.markdowns[lost.md]: no link in SUMMARY.md leads to it"',
    ])
  })

  it.each([
    [undefined, 'peaceiris/mdbook:latest'],
    ['registry:5000/mdbook', 'registry:5000/mdbook:latest'],
    ['mdbook:1.2', 'mdbook:1.2'],
    ['mdbook@sha256:00', 'mdbook@sha256:00'],
  ])('runs the image %s as %s', async (given, viewerImage) => {
    await using test = await start()
    const spec = { markdowns: { 'SUMMARY.md': '' }, ...(given && { viewerImage: given }) }
    const view = await test.client.create(MarkdownView, { metadata: key, spec })
    expect(view.spec.viewerImage).toBe(viewerImage)
  })
})

function start() {
  return OperatorTest.start(operator)
}

function create(test: OperatorTest, replicas = 1) {
  const spec = { markdowns: { 'SUMMARY.md': '- [Hello](hello.md)', 'hello.md': '# Hello' }, replicas }
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
