/** A `main.ts` whose operator is on a server in the same process: for `run.test.ts`. */
import { SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { controller, createClient, directTransport, operator, run } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

const [scenario] = process.argv.slice(2)
const clock = new SystemClock()
const server = await ApiServer.start({ clock })
const transport = directTransport(server.handler, { clock })
const key = { namespace: 'default', name: 'a' }
await createClient({ transport, clock }).create(ConfigMap, { metadata: key })

const maps = controller('maps')
  .for(ConfigMap)
  .reconcile(({ name }) => {
    if (name === key.name) process.stdout.write('reconciling\n')
  })
const broken = operator('broken', {
  controllers: [maps],
  runnables: [
    {
      name: 'disk',
      run() {
        // As a server that a program forgets to close.
        setInterval(() => {}, 1_000)
        throw new Error('the disk is full')
      },
    },
  ],
})

if (scenario === 'without-cluster') await run(operator('maps', { controllers: [maps] }))
else if (scenario === 'no-operator') await run({ controllers: [maps] } as never)
else {
  const runs = scenario === 'fails' ? broken : () => operator('maps', { controllers: [maps] })
  await run(runs, { manager: { transport, clock } })
}
process.stdout.write('main.ts goes on\n')
await transport.close()
await server.close()
