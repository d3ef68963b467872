/** One hostile reconciler as an operator: `operator.ts <kubeconfig> <title>`. Its parent kills it. */
import { loadConfig, Manager } from 'homeostat'
import { reconcilers } from './reconcilers.ts'

const [kubeconfig = '', title = ''] = process.argv.slice(2)
const manager = new Manager({ config: loadConfig({ kubeconfig }) })
for (const controller of reconcilers[title]?.(() => process.send?.('reconciled')) ?? [])
  manager.add(controller)
await manager.start()
