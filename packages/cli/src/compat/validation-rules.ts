import type { StructuralSchema, ValidationRule } from '@homeostat/api'
import { reportNarrower, type Place } from './place.ts'
import type { Report } from './rules.ts'

/** C60 to C62: compares the validation rules of one schema. A rule is identified by its expression; its message is ignored. */
export function compareValidationRules(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
): void {
  const before = rulesOf(old)
  const after = rulesOf(next)
  for (const [identity, { rule }] of after) {
    if (before.has(identity)) continue
    if (usesOldSelf(rule)) {
      const reason = `the rule ${rule} is about changes: updates that were accepted are refused, also of stored objects`
      report('C62', 'breaking', place.path, reason)
    } else reportNarrower(report, 'C60', place, `the rule ${rule} must hold`)
  }
  for (const [identity, { rule }] of before) {
    if (!after.has(identity)) report('C61', 'safe', place.path, `the rule ${rule} need not hold`)
  }
}

function rulesOf(schema: StructuralSchema): ReadonlyMap<string, ValidationRule> {
  const rules = schema['x-kubernetes-validations'] ?? []
  return new Map(rules.map((rule) => [`${rule.optionalOldSelf ?? false} ${rule.rule.trim()}`, rule]))
}

/** Texts within an expression, in single or triple quotes, raw or not. */
const TEXTS = /[rR]?(?:'''[^]*?'''|"""[^]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")/g

/** Whether a rule compares with the stored value. Servers evaluate such rules in every update. */
function usesOldSelf(expression: string): boolean {
  return /(?<![\w.])oldSelf(?!\w)/.test(expression.replace(TEXTS, "''"))
}
