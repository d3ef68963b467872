import { expect, test } from 'vitest'
import { TestEnvironment } from './test-environment.ts'

const pods = '/api/v1/namespaces/default/pods'
const Pod = { group: '', version: 'v1', plural: 'pods' }
const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
})

test('a follower gets existing objects and each change, in order, before settle resolves', async () => {
  await using environment = await TestEnvironment.start()
  await environment.call('POST', pods, { body: pod('before') })
  const seen: string[] = []
  environment.objects.follow([Pod], ({ kind, object, gone }) => {
    seen.push(`${kind.plural} ${object.metadata.name} ${gone ? 'gone' : object.metadata.labels?.step}`)
  })
  await environment.call('POST', pods, { body: pod('after') })
  const body = { metadata: { labels: { step: 'patched' } } }
  const headers = { 'content-type': 'application/merge-patch+json' }
  await environment.call('PATCH', `${pods}/after`, { body, headers })
  await environment.call('DELETE', `${pods}/before`)
  await environment.call('POST', '/api/v1/namespaces/default/configmaps', {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'of-another-kind' } },
  })
  await environment.settle()
  expect(seen).toEqual([
    'pods before undefined',
    'pods after undefined',
    'pods after patched',
    // Its deletion begins.
    'pods before undefined',
    'pods before gone',
  ])
})

test('a status that is put is a new version of the object, which watches see', async () => {
  await using environment = await TestEnvironment.start()
  const { body: created } = await environment.call('POST', pods, { body: pod('web') })
  const watch = await environment.watch(
    `${pods}?watch=true&resourceVersion=${created.metadata.resourceVersion}`,
  )
  const name = { namespace: 'default', name: 'web' }
  environment.objects.putStatus(Pod, name, { phase: 'Running' })
  environment.objects.putStatus(Pod, { ...name, name: 'missing' }, { phase: 'Running' })
  await environment.settle()
  expect(watch.takeNames()).toEqual(['MODIFIED web'])
  await watch.close()
  const stored = await environment.stored(Pod, name)
  expect(stored.status).toEqual({ phase: 'Running' })
  expect(stored.spec).toEqual(created.spec)
  expect(stored.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion)
  expect(environment.objects.get(Pod, name)).toEqual(stored)
})
