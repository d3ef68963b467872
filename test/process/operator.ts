/** An operator in a process of its own, on a server in the same process: for `process.test.ts`. */
import { SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { controller, createClient, directTransport, Manager, silentLogger } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

const clock = new SystemClock()
const server = await ApiServer.start({ clock })
const transport = directTransport(server.handler, { clock })
const key = { namespace: 'default', name: 'a' }
await createClient({ transport, clock }).create(ConfigMap, { metadata: key })

const operator = controller('operator')
  .for(ConfigMap)
  .reconcile(async ({ name }, { clock, client }) => {
    if (name !== key.name) return
    process.stdout.write('reconciling\n')
    await clock.sleep(Number(process.argv[2]))
    await client.apply(ConfigMap, { metadata: key, data: { reconciled: 'yes' } })
  })

await new Manager({ transport, clock, logger: silentLogger, metrics: { port: 0 } }).add(operator).start()
const { data } = await createClient({ transport, clock }).getOrThrow(ConfigMap, key)
await transport.close()
await server.close()
process.stdout.write(`stopped, reconciled: ${data?.['reconciled']}\n`)
