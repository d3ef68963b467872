import { ApiServer } from '@homeostat/apiserver'
import { SimulatedClock } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { createClient, directTransport } from 'homeostat'
import { expect, test } from 'vitest'
import { recordWrites } from './record-writes.ts'

test('writes to any server are recorded, except for dry runs and paths of others', async () => {
  const clock = new SimulatedClock()
  await using server = await ApiServer.start({ clock })
  const recorded = recordWrites(directTransport(server.handler, { clock }), (path) =>
    path.includes('/default/'),
  )
  const client = createClient({ transport: recorded.transport, clock })
  const create = (namespace: string, dryRun = false) =>
    client.create(ConfigMap, { metadata: { namespace, generateName: 'a-' } }, { dryRun })
  await recorded.expectNoWrites(async () => {
    await client.list(ConfigMap)
    await create('default', true)
    await create('kube-system')
  })
  expect(recorded.writes).toEqual([])
  await expect(recorded.expectNoWrites(() => create('default'))).rejects.toThrow(
    'expected no request that writes, but 1 came:\n  POST /api/v1/namespaces/default/configmaps',
  )
})
