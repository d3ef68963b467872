import { MariaDB, mariadb } from '@homeostat/example-mariadb'
import { PersistentVolumeClaim, Secret, Service, StatefulSet } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { runOperator } from './operator.ts'
import { operators } from './operators.ts'
import { reach, remove } from './stage.ts'

const operator = operators.find(({ name }) => name === 'mariadb')!

describe('MariaDB', () => {
  it('patches only what differs: the number of servers, then the type and class of its Service', async () => {
    await using server = await startTestServer({ kinds: [MariaDB] })
    await using running = await runOperator(server, mariadb)
    const key = await create(server, 'Retain')
    await reach(server, operator, key)
    const written = running.writes.length
    await change(server, { replicas: 3 })
    await server.until('three replicas', async () => (await servers(server))?.spec.replicas === 3)
    await change(server, { service: { type: 'LoadBalancer', loadBalancerClass: 'example.com/internal' } })
    await server.until('the class', async () => {
      const service = await server.client.get(Service, key)
      return service?.spec?.loadBalancerClass === 'example.com/internal'
    })
    await change(server, { service: { type: 'ClusterIP', loadBalancerClass: null } })
    await server.until('no class', async () => {
      const service = await server.client.get(Service, key)
      return service?.spec?.type === 'ClusterIP' && service.spec.loadBalancerClass === undefined
    })
    await reach(server, operator, key)
    const writes = new Set(running.writes.slice(written))
    expect([...writes].filter((write) => !write.includes('/status')).sort()).toEqual([
      'PATCH services/sample',
      'PATCH statefulsets/sample',
    ])
    await remove(server, operator, key)
  })

  it.each(['Retain', 'Delete'] as const)(
    'goes by dataPolicy %s with the claims of its data',
    async (policy) => {
      await using server = await startTestServer({ kinds: [MariaDB] })
      await using running = await runOperator(server, mariadb)
      const key = await create(server, policy)
      await reach(server, operator, key)
      if (!server.controllers) await makeClaim(server)
      await server.until('the claim', () => server.client.get(PersistentVolumeClaim, claimKey(server)))
      await remove(server, operator, key)
      const claim = async () => {
        const found = await server.client.get(PersistentVolumeClaim, claimKey(server))
        return found && !found.metadata.deletionTimestamp
      }
      expect(Boolean(await claim())).toBe(policy === 'Retain')
      expect(running.reports.filter(({ error }) => error)).toEqual([])
    },
  )

  it.each([
    [{ storage: '2Gi' }, 'spec.storage: Invalid value: "2Gi": value is immutable'],
    [{ service: { loadBalancerClass: 'x' } }, 'loadBalancerClass needs type LoadBalancer'],
  ])('refuses %j, and says why', async (spec, message) => {
    await using server = await startTestServer({ kinds: [MariaDB] })
    await create(server, 'Retain')
    await expect(change(server, spec)).rejects.toThrow(message)
  })
})

async function create({ client, namespace }: TestServer, dataPolicy: 'Retain' | 'Delete') {
  const key = { namespace, name: 'sample' }
  await client.create(Secret, { metadata: { namespace, name: 'root' }, stringData: { password: 'example' } })
  await client.create(MariaDB, { metadata: key, spec: { rootPassword: { name: 'root' }, dataPolicy } })
  return key
}

function change({ client, namespace }: TestServer, spec: object) {
  return client.patch(MariaDB, { namespace, name: 'sample' }, { type: 'merge', body: { spec } })
}

function servers({ client, namespace }: TestServer) {
  return client.get(StatefulSet, { namespace, name: 'sample' })
}

function claimKey({ namespace }: TestServer) {
  return { namespace, name: 'data-sample-0' }
}

/** The Pod that the controller of StatefulSets makes of the template. */
async function makeClaim(server: TestServer): Promise<void> {
  const labels = { 'app.kubernetes.io/name': 'mariadb', 'app.kubernetes.io/instance': 'sample' }
  await server.client.create(PersistentVolumeClaim, {
    metadata: { ...claimKey(server), labels },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
}
