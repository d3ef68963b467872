import { controller, defineKind, metadataOnly, schema as s } from 'homeostat'
import { Secret } from 'homeostat/kinds'

export const Greeting = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: s.object({ name: s.string() }),
  status: s.object({ text: s.string().optional() }),
})

const Labels = metadataOnly(Secret)

// Delete a Secret on the right, or create one named hello: its metadata starts the reconcile.
export const counting = controller('counting')
  .for(Greeting)
  .watches(Labels, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
  .writes(Greeting, 'status.apply')
  .reconcile(async (request, { client }) => {
    if (!(await client.get(Greeting, request))) return
    const labels = await client.get(Labels, request) // from the cache: metadata, and no data
    const secret = labels && (await client.live.get(Secret, request)) // from the server, this one alone
    const text = secret ? `${Object.keys(secret.data ?? {}).length} words` : 'no words'
    await client.status.apply(Greeting, request, { text })
  })
