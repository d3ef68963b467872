import { canonicalText, type StructuralSchema } from '@homeostat/api'
import { reportNarrower, type Place } from './place.ts'
import type { Report } from './rules.ts'

/**
 * C46: compares allOf, anyOf, oneOf and not. It does not compute which values such a part accepts. A part that changes may refuse values that
 * it accepted, unless it is removed or gains alternatives.
 */
export function compareAlternatives(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
): void {
  const [before, after] = [partsOf(old), partsOf(next)]
  const added = after.allOf.filter((part) => !before.allOf.includes(part))
  if (added.length > 0) reportNarrower(report, 'C46', place, `allOf gains ${added.length} constraints`)
  else if (after.allOf.length < before.allOf.length)
    report('C46', 'safe', place.path, 'allOf loses constraints')
  for (const junctor of ['anyOf', 'oneOf'] as const) {
    const [one, other] = [before[junctor], after[junctor]]
    if (canonicalText(one) === canonicalText(other)) continue
    const keepsAll = junctor === 'anyOf' && one.length > 0 && one.every((part) => other.includes(part))
    if (other.length === 0) report('C46', 'safe', place.path, `${junctor} is removed`)
    else if (keepsAll) report('C46', 'safe', place.path, 'anyOf gains alternatives')
    else reportNarrower(report, 'C46', place, `${junctor} ${one.length === 0 ? 'is added' : 'changes'}`)
  }
  if (before.not === after.not) return
  if (after.not === '') report('C46', 'safe', place.path, 'not is removed')
  else reportNarrower(report, 'C46', place, `not ${before.not === '' ? 'is added' : 'changes'}`)
}

interface Parts {
  readonly allOf: readonly string[]
  readonly anyOf: readonly string[]
  readonly oneOf: readonly string[]
  readonly not: string
}

/** The parts as texts, sorted, without those that only say that a value is a number or a text. */
function partsOf(schema: StructuralSchema): Parts {
  const texts = (parts: readonly StructuralSchema[] = []): string[] => parts.map(canonicalText).toSorted()
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true
  const types = canonicalText([{ type: 'integer' }, { type: 'string' }])
  const namesTypes = ({ anyOf = [] }: StructuralSchema): boolean =>
    isIntOrString && canonicalText(anyOf) === types
  return {
    allOf: texts(schema.allOf?.filter((part) => !namesTypes(part))),
    anyOf: namesTypes(schema) ? [] : texts(schema.anyOf),
    oneOf: texts(schema.oneOf),
    not: schema.not ? canonicalText(schema.not) : '',
  }
}
