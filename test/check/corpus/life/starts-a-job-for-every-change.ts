import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/** Starts a Job for each generation of the spec and deletes none: a hundred edits leave a hundred Jobs. */
export const jobForEveryChange: CorpusOperator = {
  title: 'starts a Job for every generation and deletes none',
  classes: ['history'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'create')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task || task.metadata.deletionTimestamp) return
          const job = jobOf(task, `-${task.metadata.generation}`)
          if (!(await client.live.get(Job, job.metadata))) await client.create(Job, job)
        }),
    ),
}
