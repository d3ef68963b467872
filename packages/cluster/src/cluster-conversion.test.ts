import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { ConfigMap, CustomResourceDefinition } from '@homeostat/api/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

const namespace = 'default'
let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'homeostat-cluster-conversion-'))))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('starts with objects that only a webhook can convert, and collects the garbage of other kinds', async () => {
  const clock = new SimulatedClock()
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object' } },
  })
  const first = await Cluster.start({ clock, port: false, dataDir })
  await first.client.create(CustomResourceDefinition, {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [version('v2', false), version('v1', true)],
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/' } },
      },
    },
  })
  await clock.settle()
  const stored = await first.handler({
    method: 'POST',
    path: `/apis/example.com/v1/namespaces/${namespace}/things`,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"}}'),
  })
  expect(stored.status).toBe(201)
  await first.close()

  await using second = await Cluster.start({ clock, port: false, dataDir })
  const owner = await second.client.create(ConfigMap, { metadata: { namespace, name: 'owner' } })
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }]
  await second.client.create(ConfigMap, { metadata: { namespace, name: 'owned', ownerReferences } })
  await second.client.delete(ConfigMap, { namespace, name: 'owner' })
  await clock.settle()
  expect(await second.client.get(ConfigMap, { namespace, name: 'owned' })).toBeUndefined()
})
