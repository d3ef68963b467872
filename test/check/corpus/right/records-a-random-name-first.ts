import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/** Chooses a random name, records it in the status with the version that it read, and then makes the Job of that name. */
export const recordsFirst: CorpusOperator = {
  title: 'records a random name before it makes the Job of that name',
  classes: [],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'apply')
        .writes(Task, 'status.update')
        .reconcile(async (key, { client, clock }) => {
          const task = await client.live.get(Task, key)
          if (!task || task.metadata.deletionTimestamp) return
          const suffix = clock.random().toString(36).slice(2, 8)
          const job = task.status?.job ?? `${key.name}-${suffix}`
          if (!task.status?.job)
            await client.status.update(Task, { ...task, status: { ...task.status, job } })
          const { metadata, spec } = jobOf(task)
          const found = await client.live.get(Job, { namespace: key.namespace, name: job })
          await client.apply(Job, {
            metadata: { ...metadata, name: job },
            spec: found ? { template: found.spec.template } : spec,
          })
        }),
    ),
  options: {
    varies: [{ kind: 'Job', path: 'spec', reason: 'a Job runs the command that the Task had first' }],
  },
}
