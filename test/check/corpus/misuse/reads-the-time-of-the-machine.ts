import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/** Decides by the clock of the machine whether a run is due, as a Go operator does with `time.Now()`. */
export const readsMachineTime: CorpusOperator = {
  title: 'decides by the clock of the machine whether a run is due',
  classes: ['machine-clock'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'apply')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task) return undefined
          const due = Date.parse(task.metadata.creationTimestamp) + 60_000
          if (Date.now() < due) return { requeueAfter: '60s' }
          await client.apply(Job, jobOf(task))
          return undefined
        }),
    ),
}
