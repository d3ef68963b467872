import { ConstantError, Language, type ExpressionScope, type Program, type Type } from '@homeostat/cel'
import { patterns } from '../validation/index.ts'
import { spend } from '../work/index.ts'
import { authorizerLibrary } from './authorizer-in-cel.ts'
import { patchLibrary } from './made-objects.ts'

/** How many steps of work a character of an expression takes to compile. */
const COMPILED = 5

const plainLanguage = new Language({ patterns, libraries: [authorizerLibrary] })
const patchLanguage = new Language({ patterns, libraries: [authorizerLibrary, patchLibrary] })

/** The problem of an expression, as kube-apiserver's message. */
export class ExpressionProblem extends Error {
  /** Whether kube-apiserver reports it as an internal error and not as an invalid value. */
  readonly isInternal: boolean

  constructor(message: string, isInternal = false) {
    super(message)
    this.isInternal = isInternal
  }
}

/** A compiled expression, which can be evaluated many times. */
export interface CompiledExpression {
  readonly source: string
  /** The type of its result. */
  readonly type: Type
  readonly program: Program
}

/** Checks an expression without compiling it. Returns its type or its problem. */
export function checkExpression(source: string, scope: ExpressionScope): Type | Error {
  spend(COMPILED * source.length)
  const checked = plainLanguage.check(source, scope)
  return checked instanceof Error ? checked : checked.type
}

/** Compiles an expression. If types are given, its value must have one of them; `dyn` is refused too. */
export function compileExpression(
  source: string,
  scope: ExpressionScope,
  results: readonly Type[] | undefined,
): CompiledExpression | ExpressionProblem {
  spend(COMPILED * source.length)
  const language = scope.maker ? patchLanguage : plainLanguage
  const checked = language.check(source, scope)
  if (checked instanceof Error) return new ExpressionProblem(`compilation failed: ${checked.message}`)
  const { type } = checked
  if (results && !results.some((result) => typeText(result) === typeText(type))) {
    const texts = results.map(typeText).join(' ')
    const expected = results.length === 1 ? texts : `one of [${texts}]`
    return new ExpressionProblem(`must evaluate to ${expected} but got ${typeText(type)}`)
  }
  try {
    return { source, type, program: language.compile(checked) }
  } catch (error) {
    if (!(error instanceof ConstantError)) throw error
    return new ExpressionProblem(`program instantiation failed: ${error.message}`, true)
  }
}

/** A type as Go prints it, which differs from the compiler's messages. */
function typeText({ name, params }: Type): string {
  return params.length === 0 ? name : `${name}(${params.map(typeText).join(', ')})`
}
