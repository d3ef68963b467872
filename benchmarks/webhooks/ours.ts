/** Our webhook server as a program, for the benchmark: `ours.ts <folder with tls.crt and tls.key>` prints its URL. */
import { join } from 'node:path'
import { directTransport, Manager, silentLogger, SystemClock } from 'homeostat'
import { webhooks } from '../../test/oracles/controller-runtime-webhooks/tickets.ts'

const [folder = '.'] = process.argv.slice(2)
const clock = new SystemClock()
// The webhooks ask nothing of a server.
const absent = () => Promise.reject(new Error('there is no server'))
const manager = new Manager({ transport: directTransport(absent, { clock }), logger: silentLogger })
manager.addWebhooks(webhooks, {
  port: 0,
  host: '127.0.0.1',
  tls: { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') },
})
const running = manager.start()
while (manager.webhooksUrl === undefined) await clock.sleep(10)
console.log(manager.webhooksUrl)
await running
