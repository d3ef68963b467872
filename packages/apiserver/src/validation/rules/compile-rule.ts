import type { ValidationRule } from '@homeostat/api'
import {
  ConstantError,
  estimateCost,
  Language,
  optionalType,
  REQUEST_SIZE,
  scopeOf,
  sizeAt,
  type DeclaredType,
  type Program,
  type Type,
} from '@homeostat/cel'
import { spend } from '../../work/index.ts'
import { patterns } from '../formats/patterns.ts'
import type { SchemaNode } from '../../schema/index.ts'
import { parseFieldPath } from './field-path.ts'

/** A compiled rule, or its error. */
export interface CompiledRule {
  readonly source: ValidationRule
  /** Absent where the rule is empty or invalid. */
  readonly program?: Program
  readonly problem?: string
  /** Whether it uses `oldSelf`: then it applies only to changes. */
  readonly usesOldSelf: boolean
  /** The estimated maximum cost of one evaluation. */
  readonly maxCost: number
  readonly message?: Program
  readonly messageProblem?: string
  readonly messageMaxCost: number
  /** The field that its errors name, below that of the value. */
  readonly fieldPath: string
}

/** How many steps of work a character of a rule takes to compile. */
const COMPILED = 5

let language: Language | undefined

/** Compiles a rule of a schema. */
export function compileRule(rule: ValidationRule, node: SchemaNode, declared: DeclaredType): CompiledRule {
  const nothing = { source: rule, usesOldSelf: false, maxCost: 0, messageMaxCost: 0, fieldPath: '' }
  if (rule.rule.trim() === '') return nothing
  spend(COMPILED * (rule.rule.length + (rule.messageExpression?.length ?? 0)))
  const oldSelf = rule.optionalOldSelf ? optionalType(declared.type) : declared.type
  const main = compileExpression(rule.rule, declared, oldSelf, 'bool')
  if (main instanceof Error) return { ...nothing, problem: main.message }
  const path = rule.fieldPath ? parseFieldPath(rule.fieldPath, node) : undefined
  const compiled: CompiledRule = {
    ...nothing,
    program: main.program,
    usesOldSelf: main.usesOldSelf,
    maxCost: main.maxCost,
    fieldPath: path instanceof Error || !path ? '' : path.text,
  }
  if (!rule.messageExpression) return compiled
  const message = compileExpression(rule.messageExpression, declared, oldSelf, 'string')
  if (message instanceof Error) return { ...compiled, messageProblem: message.message }
  return { ...compiled, message: message.program, messageMaxCost: message.maxCost }
}

interface CompiledExpression {
  readonly program: Program
  readonly usesOldSelf: boolean
  readonly maxCost: number
}

function compileExpression(
  source: string,
  declared: DeclaredType,
  oldSelf: Type,
  result: 'bool' | 'string',
): CompiledExpression | Error {
  language ??= new Language({ patterns })
  const prefix = result === 'bool' ? '' : 'messageExpression '
  const checked = language.check(source, scopeOf(declared, oldSelf))
  if (checked instanceof Error) return new Error(`${prefix}compilation failed: ${checked.message}`)
  if (checked.type.kind !== result) {
    return new Error(
      result === 'bool'
        ? 'cel expression must evaluate to a bool'
        : 'messageExpression must evaluate to a string',
    )
  }
  try {
    const maxCost = estimateCost(checked, (path) => {
      const max = sizeAt(declared, path)
      return max === undefined ? undefined : { min: 0, max }
    }).max
    return { program: language.compile(checked), usesOldSelf: checked.names.has('oldSelf'), maxCost }
  } catch (error) {
    if (!(error instanceof ConstantError)) throw error
    return new Error(`${prefix}${result === 'bool' ? 'program ' : ''}instantiation failed: ${error.message}`)
  }
}

/** The most values of a type in one request, where the schema has no limit. */
export function maxCardinality(declared: DeclaredType): number {
  return Math.floor(REQUEST_SIZE / (declared.minSize + 1))
}
