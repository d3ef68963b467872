import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/** `name := task.Name + "-" + rand.String(5)` and a status that says which one: a crash in between makes a second Job. */
export const namesByChance: CorpusOperator = {
  title: 'gives its Job a random name and notes it afterwards',
  classes: ['crash', 'failed-request', 'stale-cache', 'combination'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .reads(Job)
        .writes(Job, 'create')
        .writes(Task, 'status.apply')
        .reconcile(async (key, { client, clock }) => {
          const task = await client.get(Task, key)
          if (!task || task.status?.job) return
          const suffix = `-${Math.floor(clock.random() * 1e6).toString(36)}`
          const job = await client.create(Job, jobOf(task, suffix))
          await client.status.apply(Task, key, { job: job.metadata.name })
        }),
    ),
}
