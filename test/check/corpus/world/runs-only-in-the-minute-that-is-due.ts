import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Task, taskOperator } from '../kinds.ts'

/**
 * Makes the report of the first ten minutes only if it looks within the eleventh one. A process that was down in that minute
 * never makes it up, as schedulers without a "last run" once lost nightly backups.
 */
export const onlyInItsMinute: CorpusOperator = {
  title: 'does its work only in the minute in which it is due',
  classes: ['downtime', 'crash', 'late-pods'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const task = await client.get(Task, key)
          if (!task) return undefined
          const minutes = (clock.now() - Date.parse(task.metadata.creationTimestamp)) / 60_000
          if (minutes < 10) return { requeueAfter: (10 - minutes) * 60_000 }
          const metadata = childOf(task, '-report')
          const isDue = minutes < 11 || (await client.live.get(ConfigMap, metadata))
          if (isDue) await client.apply(ConfigMap, { metadata, data: { command: task.spec.command } })
          return undefined
        }),
    ),
}
