import { controller } from 'homeostat'
import { Job } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { jobOf, Task, taskOperator } from '../kinds.ts'

/**
 * Starts as many Jobs as the spec has attempts, under generated names, by the number that its cache has. A cache that
 * is behind leads to too many, as the ReplicaSet controller once made before it had expectations.
 */
export const countsInCache: CorpusOperator = {
  title: 'starts Jobs under generated names by the number that its cache has',
  classes: ['stale-cache', 'crash', 'failed-request', 'history'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(Job)
        .writes(Job, 'create', 'delete')
        .reconcile(async (key, { client }) => {
          const task = await client.get(Task, key)
          if (!task || task.metadata.deletionTimestamp) return
          const labels = { 'corpus.example.com/owner': key.name }
          const jobs = await client.list(Job, { namespace: key.namespace, labels })
          const { metadata, spec } = jobOf(task)
          const { name, ...rest } = metadata
          const wanted = task.spec.attempts ?? 1
          for (let count = jobs.length; count < wanted; count++) {
            await client.create(Job, { metadata: { ...rest, generateName: `${name}-` }, spec })
          }
          for (const { metadata: surplus } of jobs.slice(wanted)) await client.delete(Job, surplus)
        }),
    ),
}
