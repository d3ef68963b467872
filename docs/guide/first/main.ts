import { Cluster } from '@homeostat/cluster'
import { run } from 'homeostat'
import { writeFile } from 'node:fs/promises'
import operator from './operator.ts'

await using cluster = await Cluster.start()
await writeFile('kubeconfig', cluster.kubeconfig(), { mode: 0o600 })
await cluster.install(operator)

const service = { namespace: 'default', name: 'hello' }
const { url } = await cluster.forward({ service, localPort: Number(process.env['PORT'] ?? 3000) })
console.log(`The page: ${url}`)

await run(operator, { manager: { transport: cluster.transport } })
