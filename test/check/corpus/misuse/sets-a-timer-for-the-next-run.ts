import { Channel, controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/**
 * Keeps a timer for each object, as a kopf daemon does, instead of returning `requeueAfter`. The timers are lost
 * with the process, and no test can move them.
 */
export const setsTimer: CorpusOperator = {
  title: 'sets a timer of the machine for the next run',
  classes: ['machine-clock'],
  operator: () => {
    const due = new Channel<{ namespace: string; name: string }>('due')
    return taskOperator(
      controller('tasks')
        .for(Task)
        .watches(due, (key) => key)
        .owns(Job)
        .writes(Job, 'apply')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task) return
          await client.apply(Job, jobOf(task))
          const minutes = task.spec.everyMinutes ?? 60
          setTimeout(() => due.send(key), minutes * 60_000).unref()
        }),
    )
  },
}
