import { clusterRole, operatorDefinitions, operatorManager } from 'homeostat'
import operator from './operator.ts'

const manager = operatorManager(operator, { leaderElection: { name: operator.name } })
for (const object of [...operatorDefinitions(operator), clusterRole(operator.name, manager.rules())]) {
  process.stdout.write(`${JSON.stringify(object)}\n`)
}
