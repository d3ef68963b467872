import { clusterRole, customResourceDefinition, Manager } from 'homeostat'
import { greeting } from './greeting-controller.ts'
import { Greeting } from './greeting.ts'

const manager = new Manager({ leaderElection: { name: 'greeting' } }).add(greeting)
for (const object of [customResourceDefinition(Greeting), clusterRole('greeting', manager.rules())]) {
  process.stdout.write(`${JSON.stringify(object)}\n`)
}
