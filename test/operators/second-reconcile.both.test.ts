import { recordWrites } from '@homeostat/cluster/testing'
import type { KubernetesObject } from '@homeostat/api'
import type { ObjectKey } from 'homeostat'
import { describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { runOperator, type RunningOperator } from './operator.ts'
import { operators, type Operator } from './operators.ts'
import { reach, remove } from './stage.ts'

const each = operators.map((operator) => [operator.name, operator] as const)

describe.each(each)('%s', (_, operator) => {
  it('sends no write in a second reconcile, nor in the first one of a new process', async () => {
    await using server = await startTestServer({ kinds: [operator.kind] })
    const recorded = recordWrites(server.transport, concerning(server))
    const key = await operator.create(server)
    {
      await using running = await runOperator(
        { ...server, transport: recorded.transport },
        operator.controller,
      )
      await reach(server, operator, key)
      await lookAgain(server, running, operator, key)
      expect(recorded.writes).not.toEqual([])
      await recorded.expectNoWrites(() => lookAgain(server, running, operator, key))
    }
    await using cleanUp = new AsyncDisposableStack()
    await recorded.expectNoWrites(async () => {
      const next = cleanUp.use(
        await runOperator({ ...server, transport: recorded.transport }, operator.controller),
      )
      await server.until('the first reconcile of the new process', async () => next.reports.length > 0)
    })
    await remove(server, operator, key)
  })

  it('leaves a label and a field that another manager adds to what it made, and sends nothing for them', async () => {
    await using server = await startTestServer({ kinds: [operator.kind] })
    const recorded = recordWrites(server.transport, concerning(server))
    await using running = await runOperator({ ...server, transport: recorded.transport }, operator.controller)
    const key = await operator.create(server)
    await reach(server, operator, key)
    await lookAgain(server, running, operator, key)
    const label = { metadata: { labels: { 'example.com/team': 'others' } } }
    await recorded.expectNoWrites(async () => {
      for (const child of operator.children(server)) {
        for (const body of [label, child.free]) {
          const patch = { type: 'merge', body } as const
          await server.client.patch(child.kind, child.key, patch, { fieldManager: 'another' })
        }
      }
      await reach(server, operator, key)
      await lookAgain(server, running, operator, key)
    })
    for (const child of operator.children(server)) {
      const object = (await server.client.getOrThrow(child.kind, child.key)) as KubernetesObject
      expect(object).toMatchObject(label)
      expect(object).toMatchObject(child.free)
    }
    await remove(server, operator, key)
  })
})

/** The test's own objects: others may have left some of the same kind on a real server. */
function concerning({ namespace }: TestServer): (path: string) => boolean {
  return (path) => path.includes(namespace) || path === '/api/v1/namespaces'
}

/** Makes the operator reconcile the object once more, whatever it did before. */
async function lookAgain(
  server: TestServer,
  running: RunningOperator,
  operator: Operator,
  key: ObjectKey,
): Promise<void> {
  const before = running.reports.length
  const turn = String(before)
  const body = { metadata: { annotations: { turn } } }
  if (operator.nudge) await operator.nudge(server, turn)
  else await server.client.patch(operator.kind, key, { type: 'merge', body })
  await server.until('another reconcile', async () =>
    running.reports
      .slice(before)
      .some(({ causes }) => causes.some((cause) => 'object' in cause && cause.type === 'updated')),
  )
}
