import type { AnyKind, ObjectKey, ObjectOf } from '@homeostat/api'
import type { ExternalEvent } from '../source/index.ts'
import { requestList, type Handler, type KindHandler, type Mapping } from './handler.ts'

/** The requests that a function finds for the object of the event. */
export function fromMap<K extends AnyKind>(map: Mapping<ObjectOf<K>>): KindHandler<K> {
  return {
    requests(event, context) {
      const now = map(event.object, context)
      if (event.type !== 'updated') return now
      const before = map(event.before, context)
      if (!(now instanceof Promise) && !(before instanceof Promise)) return merge(before, now)
      return Promise.all([before, now]).then(([before, now]) => merge(before, now))
    },
  }
}

/** The requests that a function finds for the value of an event from outside. */
export function fromValue<T>(map: Mapping<T>): Handler<ExternalEvent<T>> {
  return { requests: (event, context) => map(event.value, context) }
}

function merge(...requests: Parameters<typeof requestList>[0][]): ObjectKey[] {
  return requests.flatMap(requestList)
}
