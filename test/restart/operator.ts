/** An operator in a process of its own that only knows a kubeconfig: `operator.ts <kubeconfig>`. */
import { controller, Manager, silentLogger } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

process.env['KUBECONFIG'] = process.argv[2]

const greeter = controller('greeter')
  .for(ConfigMap)
  .reconcile(async (request, { client }) => {
    const map = await client.get(ConfigMap, request)
    if (!map?.data?.['name']) return
    const greeting = `Hello, ${map.data['name']}`
    if (map.data['greeting'] === greeting) return
    await client.apply(ConfigMap, { metadata: request, data: { greeting } }, { force: true })
    process.stdout.write(`${greeting}\n`)
  })

await new Manager({ logger: silentLogger }).add(greeter).start()
