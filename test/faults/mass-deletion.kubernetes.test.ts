import { controller, isServerUnavailable, Manager, silentLogger } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const COUNT = 10_000

test.skipIf(process.env.HOMEOSTAT_TEST_KUBECONFIG)(
  '10,000 objects deleted at once are all seen to go',
  async () => {
    await using server = await startTestServer()
    const { client, clock, namespace, transport } = server
    const there = new Set<string>()
    const watcher = controller('watcher')
      .for(ConfigMap)
      .options({ maxConcurrentReconciles: 20 })
      .reconcile(async (request, context) => {
        if (request.namespace !== namespace || !request.name.startsWith('m')) return
        if (await context.client.get(ConfigMap, request)) there.add(request.name)
        else there.delete(request.name)
      })
    const stop = new AbortController()
    const running = new Manager({ transport, clock, logger: silentLogger })
      .add(watcher)
      .start({ signal: stop.signal })
    const names = Array.from({ length: COUNT }, (_, index) => `m${index}`)
    const make = async (): Promise<void> => {
      for (let name = names.pop(); name; name = names.pop()) {
        await client.create(ConfigMap, { metadata: { namespace, name } })
      }
    }
    await Promise.all(Array.from({ length: 32 }, make))
    await server.until('all of them', async () => there.size === COUNT)
    // A server gives one request a minute: on a slow machine the rest is for the next one.
    await server.until('the deletion', () =>
      client.deleteAllOf(ConfigMap, { namespace }).then(
        () => true,
        (error) => {
          if (isServerUnavailable(error)) return false
          throw error
        },
      ),
    )
    await server.until('none of them', async () => there.size === 0)
    stop.abort()
    await running
    const left = (await client.list(ConfigMap, { namespace })).map(({ metadata }) => metadata.name)
    // Kubernetes itself keeps one in every namespace.
    expect(left.filter((name) => name !== 'kube-root-ca.crt')).toEqual([])
  },
)
