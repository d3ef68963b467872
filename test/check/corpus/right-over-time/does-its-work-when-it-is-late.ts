import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Task, taskOperator } from '../kinds.ts'

/** Makes its report ten minutes after the Task was made, and makes it up when it was down at that time. */
export const makesUp: CorpusOperator = {
  title: 'does its work ten minutes later, and makes it up when it was down',
  classes: [],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const task = await client.get(Task, key)
          if (!task) return undefined
          const due = Date.parse(task.metadata.creationTimestamp) + 600_000
          if (clock.now() < due) return { requeueAfter: due - clock.now() }
          await client.apply(ConfigMap, {
            metadata: childOf(task, '-report'),
            data: { command: task.spec.command },
          })
          return undefined
        }),
    ),
}
