import { Cluster } from '@homeostat/cluster'
import { customResourceDefinition, Manager } from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { writeFile } from 'node:fs/promises'
import { markdownView } from './controller.ts'
import { MarkdownView } from './markdown-view.ts'

await using cluster = await Cluster.start()
await writeFile('kubeconfig', cluster.kubeconfig(), { mode: 0o600 })

await cluster.client.create(CustomResourceDefinition, customResourceDefinition(MarkdownView))
await cluster.client.create(MarkdownView, {
  metadata: { namespace: 'default', name: 'hello' },
  spec: { markdowns: { 'SUMMARY.md': '- [Hello](hello.md)', 'hello.md': '# Hello from the loop' } },
})

const service = { namespace: 'default', name: 'hello' }
const { url } = await cluster.forward({ service, localPort: Number(process.env['PORT'] ?? 3000) })
console.log(`The page: ${url}`)

await new Manager({ transport: cluster.transport }).add(markdownView).start()
