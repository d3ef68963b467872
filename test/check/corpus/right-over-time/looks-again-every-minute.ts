import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Task, taskOperator } from '../kinds.ts'

/** Looks again every minute for ever, as pollers of outside systems must, and writes nothing while nothing differs. */
export const looksAgain: CorpusOperator = {
  title: 'looks again every minute for ever and writes nothing',
  classes: [],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task) return undefined
          await client.apply(ConfigMap, { metadata: childOf(task), data: { command: task.spec.command } })
          return { requeueAfter: '1m' }
        }),
    ),
}
