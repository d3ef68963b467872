import { ValueSet } from '../values/compare.ts'
import { overload, type Library } from './overload.ts'
import type { ListValue } from '../values/value.ts'

/** Lists taken as sets. */
export function sets(): Library {
  return {
    overloads: [
      overload('sets.contains', 'list_sets_contains_list', '(list(T), list(T)) -> bool', (list, part) =>
        contains(list, part),
      ),
      overload(
        'sets.equivalent',
        'list_sets_equivalent_list',
        '(list(T), list(T)) -> bool',
        (a, b) => contains(a, b) && contains(b, a),
      ),
      overload('sets.intersects', 'list_sets_intersects_list', '(list(T), list(T)) -> bool', (a, b) => {
        const set = setOf(b)
        return [...a].some((element) => set.has(element))
      }),
    ],
  }
}

function setOf(list: ListValue): ValueSet {
  const set = new ValueSet()
  for (const element of list) set.add(element)
  return set
}

function contains(list: ListValue, part: ListValue): boolean {
  const set = setOf(list)
  return [...part].every((element) => set.has(element))
}
