import type { AnyKind, Timer } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'

/** The next step for the status of an object: fields to write now, or when to check again, in milliseconds. */
export type NextStatus =
  | { readonly fields: Readonly<Record<string, unknown>> }
  | { readonly after: number }
  | undefined

/**
 * Writes the status of objects of one kind as a controller of the cluster would, straight into the store. `next` is asked after
 * each change of an object; a field of the value `undefined` is removed.
 */
export function simulateStatus(
  { clock, objects }: TestEnvironment,
  kind: AnyKind,
  next: (object: any) => NextStatus,
): void {
  const timers = new Map<string, Timer>()
  const look = (id: string, namespace: string | undefined, name: string): void => {
    timers.get(id)?.cancel()
    timers.delete(id)
    const object = objects.get(kind, { namespace, name })
    if (!object || object.metadata.deletionTimestamp) return
    const due = next(object)
    if (!due) return
    if ('after' in due) {
      timers.set(
        id,
        clock.schedule(due.after, () => look(id, namespace, name)),
      )
      return
    }
    const status = Object.entries({ ...object.status, ...due.fields }).filter(
      ([, value]) => value !== undefined,
    )
    objects.putStatus(kind, { namespace, name }, Object.fromEntries(status))
  }
  objects.follow([kind], ({ object }) => {
    const { namespace, name } = object.metadata
    look(`${namespace}/${name}`, namespace, name)
  })
}
