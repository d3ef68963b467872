import { Manager, type ManagerOptions } from '../manager/index.ts'
import type { Operator } from './operator.ts'

/**
 * A manager with everything that the operator consists of. The given options take precedence over those of the
 * operator. Start it, or get its `rules()`.
 */
export function operatorManager(operator: Operator, options: ManagerOptions = {}): Manager {
  const manager = new Manager({ ...operator.manager, ...options })
  for (const cluster of operator.clusters) manager.addCluster(cluster)
  manager.add(...operator.controllers)
  for (const { name, run, ...rest } of operator.runnables) manager.addRunnable(name, run, rest)
  if (operator.webhooks.length > 0)
    manager.addWebhooks(operator.webhooks, { name: operator.name, ...operator.webhookServer })
  for (const [name, check] of Object.entries(operator.healthChecks)) manager.addHealthCheck(name, check)
  for (const [name, check] of Object.entries(operator.readyChecks)) manager.addReadyCheck(name, check)
  return manager
}
