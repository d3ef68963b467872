import { parseGoDuration } from '@homeostat/api'
import type { Expr } from '../syntax/ast.ts'
import type { Checked } from './checker.ts'
import { clauseProblem, parseFormat } from '../libraries/string-format.ts'
import type { Patterns } from '../libraries/patterns.ts'
import type { Issue } from '../syntax/source.ts'
import { isTimestamp, parseTimestamp, SECOND } from '../values/time.ts'
import { formatType, isOptionalType, sameType, type Type, type TypeKind } from '../types/type.ts'

/** Finds invalid constants: durations, times, patterns and formats, and lists or maps whose elements have several types. */
export function validateLiterals(checked: Checked, patterns: Patterns, issues: Issue[]): void {
  checkAggregates(checked, checked.expr, issues)
  walk(checked.expr, (expr) => {
    if (expr.kind !== 'call') return
    const [first] = expr.args
    const last = expr.args.at(-1)
    const text = literalText(first)
    if (expr.name === 'duration' && first?.kind === 'literal') {
      const invalid = text === undefined || parseGoDuration(text) === undefined
      if (invalid) issues.push({ at: first.at, message: 'invalid duration argument' })
    }
    if (expr.name === 'timestamp' && first?.kind === 'literal') {
      const nanos = typeof first.value === 'bigint' ? first.value * SECOND : parseTimestamp(text ?? '')?.nanos
      if (nanos === undefined || !isTimestamp(nanos))
        issues.push({ at: first.at, message: 'invalid timestamp argument' })
    }
    const pattern = expr.name === 'matches' ? literalText(last) : undefined
    if (pattern !== undefined && patterns.compile(pattern) instanceof Error) {
      issues.push({ at: last!.at, message: 'invalid matches argument' })
    }
    if (expr.name === 'format' && expr.target)
      checkFormat(checked, expr.target, expr.args[0], expr.at, issues)
  })
}

/** Checks that list and map literals have elements of one type, except for the arguments of `format`. */
function checkAggregates(checked: Checked, expr: Expr, issues: Issue[]): void {
  if (expr.kind === 'call' && expr.name === 'format') return
  if (expr.kind === 'list') {
    checkSame(
      checked,
      expr.elements.map((element, index) => [element, expr.optional.has(index)] as const),
      issues,
    )
  } else if (expr.kind === 'map') {
    checkSame(
      checked,
      expr.entries.map(({ key }) => [key, false] as const),
      issues,
    )
    checkSame(
      checked,
      expr.entries.map(({ value, optional }) => [value, optional] as const),
      issues,
    )
  }
  for (const child of childrenOf(expr)) checkAggregates(checked, child, issues)
}

function checkSame(checked: Checked, parts: readonly (readonly [Expr, boolean])[], issues: Issue[]): void {
  let type: Type | undefined
  for (const [part, optional] of parts) {
    const found = checked.typeOf(part)
    const own = optional && isOptionalType(found) ? found.params[0]! : found
    if (type && !sameType(type, own)) {
      const message = `expected type '${formatType(type)}' but found '${formatType(own)}'`
      issues.push({ at: part.at, message })
      return
    }
    type ??= own
  }
}

const CLAUSE_KINDS: Readonly<Record<string, readonly TypeKind[]>> = {
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  o: ['int', 'uint'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
}
const TEXT_KINDS: readonly TypeKind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
]

function checkFormat(
  checked: Checked,
  format: Expr,
  args: Expr | undefined,
  at: number,
  issues: Issue[],
): void {
  const text = literalText(format)
  if (text === undefined || args?.kind !== 'list') return
  const parts = parseFormat(text)
  if (parts instanceof Error) {
    issues.push({ at, message: parts.message })
    return
  }
  const clauses = parts.filter((part) => typeof part !== 'string')
  for (const [index, { letter }] of clauses.entries()) {
    const arg = args.elements[index]
    if (!arg) {
      issues.push({ at, message: `index ${index} out of range` })
      return
    }
    const wrong =
      letter === 's'
        ? notText(checked, arg)
        : fits(checked.typeOf(arg), CLAUSE_KINDS[letter]!)
          ? undefined
          : arg
    if (wrong) {
      const message = clauseProblem(letter, checked.typeOf(wrong).name)
      issues.push({ at: wrong.at, message: `error during formatting: ${message}` })
      return
    }
  }
  const given = args.elements.length
  if (given > clauses.length) {
    const message = `too many arguments supplied to string.format (expected ${clauses.length}, got ${given})`
    issues.push({ at, message })
  }
}

function fits(type: Type, kinds: readonly TypeKind[]): boolean {
  return type.kind === 'dyn' || kinds.includes(type.kind)
}

function notText(checked: Checked, expr: Expr): Expr | undefined {
  if (!fits(checked.typeOf(expr), TEXT_KINDS)) return expr
  const parts =
    expr.kind === 'list'
      ? expr.elements
      : expr.kind === 'map'
        ? expr.entries.flatMap(({ key, value }) => [key, value])
        : []
  for (const part of parts) {
    const wrong = notText(checked, part)
    if (wrong) return wrong
  }
  return undefined
}

function literalText(expr: Expr | undefined): string | undefined {
  return expr?.kind === 'literal' && typeof expr.value === 'string' ? expr.value : undefined
}

function walk(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr)
  for (const child of childrenOf(expr)) walk(child, visit)
}

function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand]
    case 'call':
      return [...(expr.target ? [expr.target] : []), ...expr.args]
    case 'list':
      return expr.elements
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value])
    case 'struct':
      return expr.fields.map(({ value }) => value)
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result]
    default:
      return []
  }
}
