import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/** Runs one Job for each uid of a Task, deliberately once: the Job is never changed, and a deleted one comes back under its name. */
export const runsOnce: CorpusOperator = {
  title: 'runs a Job once and does not follow later changes of the command',
  classes: [],
  options: {
    varies: [{ kind: 'Job', path: 'spec', reason: 'a Job runs the command that the Task had first' }],
  },
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'apply')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task) return
          const { metadata, spec } = jobOf(task)
          const found = await client.live.get(Job, key)
          if (!found) await client.apply(Job, { metadata, spec })
          else await client.apply(Job, { metadata, spec: { template: found.spec.template } })
        }),
    ),
}
