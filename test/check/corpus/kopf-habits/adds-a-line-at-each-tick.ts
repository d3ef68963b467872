import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Task, taskOperator } from '../kinds.ts'

/** `@kopf.timer(interval=600)` that appends what it did to a list in its child. */
export const addsLines: CorpusOperator = {
  title: 'adds a line to its ConfigMap every ten minutes',
  classes: ['growth', 'writes-at-rest', 'endless-loop'],
  operator: () =>
    taskOperator(
      controller('tasks')
        .for(Task)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client, clock }) => {
          const task = await client.get(Task, key)
          if (!task) return undefined
          const found = await client.live.get(ConfigMap, key)
          if (found && found.metadata.ownerReferences?.[0]?.uid !== task.metadata.uid) return undefined
          const last = Number(found?.metadata.annotations?.['corpus.example.com/last'] ?? 0)
          const left = last + 600_000 - clock.now()
          if (left > 0) return { requeueAfter: left }
          const metadata = {
            ...childOf(task),
            annotations: { 'corpus.example.com/last': String(clock.now()) },
          }
          const log = `${found?.data?.['log'] ?? ''}${task.spec.command}\n`
          await client.apply(ConfigMap, { metadata, data: { log } })
          return { requeueAfter: '10m' }
        }),
    ),
}
