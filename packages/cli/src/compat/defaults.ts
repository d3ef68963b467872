import { deepEqual, type StructuralSchema } from '@homeostat/api'
import type { Place } from './place.ts'
import type { Report } from './rules.ts'

/** C25 and C26: compares the default of a field that both schemas have. */
export function compareDefaults(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
): void {
  const [before, after] = [old.default, next.default]
  if (deepEqual(before, after)) return
  if (before === undefined) reportDefault(after, place, report)
  else if (after === undefined) {
    const reason = `creates that leave it out no longer get ${JSON.stringify(before)}`
    report('C26', 'breaking', place.path, reason)
  } else {
    const reason = `creates that leave it out get ${JSON.stringify(after)} instead of ${JSON.stringify(before)}; stored objects keep their value`
    report('C26', 'breaking', place.path, reason)
  }
}

/** C25: reports a default that is new for objects without the field. */
export function reportDefault(value: unknown, place: Place, report: Report): void {
  const gets = `objects that leave it out get ${JSON.stringify(value)}`
  const name = place.path.slice(place.path.lastIndexOf('.') + 1)
  const words: readonly string[] = place.constraints.replaceAll('__dash__', '-').match(/[\w-]+/g) ?? []
  if (words.includes(name))
    report('C25', 'breaking', place.path, `${gets}, which a rule or an alternative around it may refuse`)
  else report('C25', 'safe', place.path, gets)
}
