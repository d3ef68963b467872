import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/**
 * Starts a Job under a generated name, then writes the name into the status. A crash in between starts a second Job,
 * as operators that provision machines once made two of them.
 */
export const recordsAfterStart: CorpusOperator = {
  title: 'starts a Job under a generated name before it records the name',
  classes: ['crash', 'failed-request', 'stale-cache'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'create')
        .writes(Task, 'status.patch')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task || task.status?.job) return
          const { metadata, spec } = jobOf(task)
          const { name, ...rest } = metadata
          const job = await client.create(Job, { metadata: { ...rest, generateName: `${name}-` }, spec })
          const status = { job: job.metadata.name }
          await client.status.patch(Task, key, { type: 'merge', body: { status } })
        }),
    ),
}
