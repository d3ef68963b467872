import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { callJson, type JsonAnswer } from '../../../../../test/json-call.ts'
import { ApiServer } from '../../server.ts'

const PODS = '/api/v1/namespaces/default/pods'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const metadata = { name: 'a' }
const spec = {
  containers: [
    { name: 'c', image: 'i', restartPolicy: 'Never', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
  ],
  initContainers: [{ name: 'i', image: 'i', restartPolicy: 'Always' }],
  volumes: [{ name: 'v', image: { reference: 'r' } }],
}
const labels = { app: 'a' }
const deployment = {
  metadata,
  spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
}

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'homeostat-feature-gates-'))
})
afterEach(() => {
  rmSync(dataDir, { recursive: true })
})

const send = (server: ApiServer, method: 'POST' | 'PATCH', path: string, body: object): Promise<JsonAnswer> =>
  callJson(server.handler, method, path, { body })

test('a server of an older release keeps the features that stored objects use, and drops them from new ones', async () => {
  const newer = await ApiServer.start({ dataDir })
  await send(newer, 'POST', PODS, { metadata, spec: { ...spec, restartPolicy: 'Never' } })
  await send(newer, 'POST', DEPLOYMENTS, {
    ...deployment,
    spec: {
      ...deployment.spec,
      template: {
        metadata: { labels },
        spec: { ...spec, containers: [{ ...spec.containers[0], restartPolicy: undefined }] },
      },
    },
  })
  await newer.close()

  const older = await ApiServer.start({ dataDir, kubernetesVersion: '1.34' })
  const patch = { metadata: { labels: { x: 'y' } } }
  const pod = await send(older, 'PATCH', `${PODS}/a`, patch)
  expect(pod.status).toBe(200)
  expect(pod.body.spec.volumes[0]).toMatchObject({ name: 'v', image: { reference: 'r' } })
  const changed = await send(older, 'PATCH', `${DEPLOYMENTS}/a`, patch)
  expect(changed.body.metadata.generation).toBe(1)
  expect(changed.body.spec.template.spec.volumes).toHaveLength(1)

  const fresh = await send(older, 'POST', DEPLOYMENTS, { ...deployment, metadata: { name: 'b' } })
  expect(fresh.body.spec.template.spec.volumes).toBeUndefined()
  expect(fresh.body.spec.template.spec.containers[0]).not.toHaveProperty('restartPolicy')
  expect(fresh.body.spec.template.spec.initContainers[0].restartPolicy).toBe('Always')
  await older.close()
})
