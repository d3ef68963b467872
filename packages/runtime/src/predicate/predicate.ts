import type { AnyKind } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'

/** Whether an event matters. It runs before the handler, and must answer from the event alone. */
export type Predicate<K extends AnyKind = AnyKind> = (event: ObjectEvent<K>) => boolean

/** All of them hold; none at all holds as well. */
export function and<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (event) => predicates.every((predicate) => predicate(event))
}

/** At least one of them holds. */
export function or<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (event) => predicates.some((predicate) => predicate(event))
}

/** It does not hold. */
export function not<K extends AnyKind>(predicate: Predicate<K>): Predicate<K> {
  return (event) => !predicate(event)
}
