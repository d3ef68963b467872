import { controller, defineKind, schema as s } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ words: s.string().describe('the name of a ConfigMap') }),
  status: s.object({ text: s.string().optional() }),
})

// Both Greetings name the ConfigMap words. The index finds them when it changes.
export const greeting = controller('greeting')
  .for(Greeting)
  .indexes(Greeting, { words: ({ spec }) => spec.words })
  .watches(ConfigMap, async ({ metadata: { namespace, name } }, { client }) => {
    const greetings = await client.list(Greeting, { namespace, fields: { words: name } })
    return greetings.map(({ metadata }) => ({ namespace, name: metadata.name }))
  })
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    const greeting = await client.get(Greeting, request)
    if (!greeting) return
    const { words } = greeting.spec
    const configMap = await client.get(ConfigMap, { ...request, name: words })
    const text = configMap?.data?.['text'] ?? `waits for the ConfigMap ${words}`
    await client.status.apply(Greeting, request, { text })
  })
