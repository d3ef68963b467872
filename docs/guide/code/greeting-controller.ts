import { controller, controllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { Greeting } from './greeting.ts'

/** Greets by a ConfigMap, and says so in its log and by an event. */
export const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async (request, { client, log, events }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    await client.apply(ConfigMap, {
      metadata: { ...request, ownerReferences: [controllerReference(greeting)] },
      data: { text: `Hello, ${greeting.spec.name}!` },
    })
    log.info({ to: greeting.spec.name }, 'greeted')
    events.normal(greeting, 'Greeted', `${greeting.spec.name} was greeted`)
  })
