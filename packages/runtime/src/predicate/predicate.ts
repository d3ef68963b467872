import type { AnyKind } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'

/** Whether an event matters. It runs before the handler, and must decide only from the event. */
export type Predicate<K extends AnyKind = AnyKind> = (event: ObjectEvent<K>) => boolean

/** All predicates pass the event. Without any predicate, every event passes. */
export function and<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (event) => predicates.every((predicate) => predicate(event))
}

/** At least one predicate passes the event. */
export function or<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (event) => predicates.some((predicate) => predicate(event))
}

/** The predicate does not pass the event. */
export function not<K extends AnyKind>(predicate: Predicate<K>): Predicate<K> {
  return (event) => !predicate(event)
}
