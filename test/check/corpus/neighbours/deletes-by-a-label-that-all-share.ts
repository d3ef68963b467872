import { createHash } from 'node:crypto'
import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/** Removes the Jobs of earlier specs by the label of the operator, which the Jobs of all Tasks have. */
export const deletesByLabel: CorpusOperator = {
  title: 'deletes old Jobs by a label that the Jobs of all objects share',
  classes: ['not-isolated', 'endless-loop'],
  operator: () => {
    const labels = { 'app.kubernetes.io/managed-by': 'tasks' }
    return taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task || task.metadata.deletionTimestamp) return
          const hash = createHash('sha256').update(task.spec.command).digest('hex').slice(0, 8)
          const { metadata, spec } = jobOf(task, `-${hash}`)
          await client.apply(Job, {
            metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
            spec,
          })
          for (const job of await client.list(Job, { namespace: key.namespace, labels })) {
            if (job.metadata.name === metadata.name) continue
            await client.delete(Job, job.metadata, { propagation: 'Background' })
          }
        }),
    )
  },
}
