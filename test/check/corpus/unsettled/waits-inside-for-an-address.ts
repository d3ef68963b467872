import { controller } from 'homeostat'
import { Service } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, serviceOf } from '../kinds.ts'

/**
 * Waits inside the reconcile until a load balancer has an address. Where no load balancer exists, the worker waits
 * for ever, as operators in Go with `wait.PollInfinite` once did.
 */
export const waitsInside: CorpusOperator = {
  title: 'waits inside the reconcile for the address of a load balancer',
  classes: ['never-ends'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(Service)
        .writes(Service, 'apply')
        .writes(App, 'status.patch')
        .reconcile(async (key, { client, clock }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { metadata, spec } = serviceOf(app, app.spec.port ?? 80)
          await client.apply(Service, { metadata, spec: { ...spec, type: 'LoadBalancer' } })
          for (;;) {
            const found = await client.live.get(Service, key)
            const ip = found?.status?.loadBalancer?.ingress?.[0]?.ip
            if (ip) {
              await client.status.patch(App, key, { type: 'merge', body: { status: { note: ip } } })
              return
            }
            await clock.sleep(1_000)
          }
        }),
    ),
}
