import { controller, defineKind, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Each ConfigMap names its Greeting in a label. Edit one on the right: it starts a reconcile of that Greeting.
// The ConfigMap without this label starts none.
export const greeting = controller('greeting')
  .for(Greeting)
  .watches(ConfigMap, (configMap) => {
    const name = configMap.metadata.labels?.['guide.example.com/greeting']
    return name ? { namespace: configMap.metadata.namespace, name } : []
  })
  .reconcile(async (request, { client, log }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const labels = `guide.example.com/greeting=${request.name}`
    const found = await client.list(ConfigMap, { namespace: request.namespace, labels })
    log.info(`it has ${found.length} ConfigMaps`)
  })
