import { controller, type Controller } from 'homeostat'
import { ConfigMap, Namespace } from 'homeostat/kinds'

const KEY = { namespace: 'default', name: 'hostile' }

/** Controllers that keep a server busy, each made by the function that it tells of its reconciles. */
export const reconcilers: Readonly<Record<string, (tell: () => void) => readonly Controller[]>> = {
  'a reconcile that always writes': (tell) => [
    controller('always-writes')
      .for(Namespace)
      .owns(ConfigMap)
      .reconcile(async (_request, { client }) => {
        tell()
        for (let index = 0; index < 50; index++) {
          await client.apply(ConfigMap, { metadata: KEY, data: { now: String(performance.now()) } })
        }
        return { requeueAfter: 1 }
      }),
  ],
  'two controllers that fight': (tell) =>
    ['a', 'b'].map((name) =>
      controller(name)
        .for(ConfigMap)
        .reconcile(async (_request, { client }) => {
          tell()
          await client.apply(ConfigMap, { metadata: KEY, data: { winner: name } }, { force: true })
          return { requeueAfter: 1 }
        }),
    ),
  'a reconcile that makes objects without end': (tell) => [
    controller('makes-objects')
      .for(Namespace)
      .reconcile(async (_request, { client }) => {
        tell()
        const names = Array.from({ length: 100 }, () => crypto.randomUUID())
        const data = { text: 'x'.repeat(10_000) }
        await Promise.all(
          names.map((name) => client.create(ConfigMap, { metadata: { namespace: 'default', name }, data })),
        )
        return { requeueAfter: 1 }
      }),
  ],
}
