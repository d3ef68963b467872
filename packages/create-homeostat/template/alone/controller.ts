import { controller, setCondition } from 'homeostat'
import { MyKind } from './kind.ts'

/** Counts the words of each MyKind, in its status. */
export const myKindController = controller('mykind')
  .for(MyKind)
  .writes(MyKind, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const object = await client.get(MyKind, request)
    if (!object || object.metadata.deletionTimestamp) return

    const words = object.spec.text.split(/\s+/).filter(Boolean).length
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Counted',
      message: `the text has ${words} words`,
      observedGeneration: object.metadata.generation,
    } as const
    await client.status.apply(MyKind, request, {
      words,
      conditions: setCondition(object.status?.conditions, ready, clock),
    })
  })
