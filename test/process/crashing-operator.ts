/** An operator that makes three objects of one, slowly: for `crash.test.ts`, which kills it in between. */
import { controller, loadConfig, Manager, silentLogger } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'

const operator = controller('tripling')
  .for(ConfigMap)
  .writes(ConfigMap, 'apply')
  .reconcile(async ({ namespace, name }, { clock, client }) => {
    if (name !== 'source') return
    const source = await client.get(ConfigMap, { namespace, name })
    if (!source) return
    for (const part of ['first', 'second', 'third']) {
      await client.apply(ConfigMap, {
        metadata: { namespace, name: part },
        data: { text: source.data?.['text'] },
      })
      process.stdout.write(`${part}\n`)
      await clock.sleep(Number(process.argv[3]))
    }
  })

await new Manager({ config: loadConfig({ kubeconfig: process.argv[2] }), logger: silentLogger })
  .add(operator)
  .start()
