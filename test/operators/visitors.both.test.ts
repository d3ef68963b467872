import { VisitorsApp, visitors } from '@homeostat/example-visitors'
import { Deployment } from 'homeostat/kinds'
import { expect, it } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { runOperator } from './operator.ts'
import { operators } from './operators.ts'
import { reach, remove } from './stage.ts'

const operator = operators.find(({ name }) => name === 'visitors')!

it('VisitorsApp starts its tiers in order, tells its images, and stops in reverse order', async () => {
  await using server = await startTestServer({ kinds: [VisitorsApp] })
  await using running = await runOperator(server, visitors)
  const key = await operator.create(server)
  await server.until('the database', () =>
    server.client.get(Deployment, { namespace: server.namespace, name: 'sample-database' }),
  )
  expect(await server.client.list(Deployment, { namespace: server.namespace })).toHaveLength(1)
  await reach(server, operator, key)
  const applied = running.writes.filter((write) => write.startsWith('PATCH deployments/'))
  expect([...new Set(applied)]).toEqual([
    'PATCH deployments/sample-database',
    'PATCH deployments/sample-backend',
    'PATCH deployments/sample-frontend',
  ])
  expect(
    await server.client.getOrThrow(VisitorsApp, { namespace: server.namespace, name: 'sample' }),
  ).toMatchObject({
    metadata: { finalizers: ['visitors.example.com'] },
    status: { backendImage: 'jdob/visitors-service:1.0.0', frontendImage: 'jdob/visitors-webui:1.0.0' },
  })
  await remove(server, operator, key)
  expect(running.writes.filter((write) => write.startsWith('DELETE'))).toEqual([
    'DELETE deployments/sample-frontend',
    'DELETE deployments/sample-backend',
    'DELETE deployments/sample-database',
  ])
  expect(running.reports.filter(({ error }) => error)).toEqual([])
})
