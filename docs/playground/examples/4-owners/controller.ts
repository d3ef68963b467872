import { controller, createOrUpdate, defineKind, schema as s, setControllerReference } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
})

// Delete the ConfigMap on the right: its owner is reconciled, and makes it again.
// Delete the Greeting: the garbage collector removes the ConfigMap.
export const greeting = controller('greeting')
  .for(Greeting)
  .owns(ConfigMap)
  .writes(ConfigMap, 'createOrUpdate')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    await createOrUpdate(client, ConfigMap, request, (configMap) => {
      setControllerReference(greeting, configMap)
      configMap.data = { ...configMap.data, text: `Hello, ${greeting.spec.name}!` }
    })
  })
