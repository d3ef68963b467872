import { check, type Checked, type Declarations } from './check/checker.ts'
import { compile, type Program } from './evaluate/program.ts'
import type { ExpressionScope } from './check/scope.ts'
import { cidr } from './libraries/kubernetes/cidr.ts'
import { conversions } from './libraries/conversions.ts'
import { ip } from './libraries/kubernetes/ip.ts'
import { lists } from './libraries/lists.ts'
import { operators } from './libraries/operators.ts'
import { mapInsertion, optionals } from './libraries/optionals.ts'
import { namedFormats } from './libraries/kubernetes/named-formats.ts'
import { quantity } from './libraries/kubernetes/quantity.ts'
import { Patterns } from './libraries/patterns.ts'
import { regularExpressions } from './libraries/regular-expressions.ts'
import { semanticVersions } from './libraries/kubernetes/semantic-version.ts'
import { sets } from './libraries/sets.ts'
import { strings } from './libraries/strings.ts'
import { text } from './libraries/text.ts'
import { times } from './libraries/times.ts'
import { urls } from './libraries/kubernetes/url.ts'
import { validateLiterals } from './check/literals.ts'
import { bindingMacros, standardMacros, type Macros } from './syntax/macros.ts'
import type { Library, Overload } from './libraries/overload.ts'
import { parse } from './syntax/parser.ts'
import { formatIssues, type Issue } from './syntax/source.ts'
import type { Type } from './types/type.ts'

/** The additions to Kubernetes' own libraries. */
export interface LanguageOptions {
  /** More functions and types. */
  readonly libraries?: readonly Library[]
  /** Compiles the patterns of `matches`, `find` and `findAll`. Give your own to share it, or to limit its work. */
  readonly patterns?: Patterns
  /** Whether `cel.bind` gives a value a name, as in the selectors of devices. Default: false, as in rules and policies. */
  readonly bindings?: boolean
}

/** The language as a Kubernetes API server has it: its macros, functions and types. Made once, and shared. */
export class Language {
  readonly macros: Macros
  readonly functions: ReadonlyMap<string, readonly Overload[]>
  readonly types: ReadonlyMap<string, Type>
  readonly #patterns: Patterns

  constructor({ libraries = [], patterns = new Patterns(), bindings = false }: LanguageOptions = {}) {
    this.macros = bindings ? new Map([...standardMacros(), ...bindingMacros()]) : standardMacros()
    this.#patterns = patterns
    const functions = new Map<string, Overload[]>()
    const types = new Map<string, Type>()
    for (const library of [...standardLibraries(patterns), ...libraries]) {
      for (const overload of library.overloads) {
        const known = functions.get(overload.name)
        if (known) known.push(overload)
        else functions.set(overload.name, [overload])
      }
      for (const [name, type] of Object.entries(library.types ?? {})) types.set(name, type)
    }
    this.functions = functions
    this.types = types
  }

  /** The checked expression, or its errors in the words of the API's messages. */
  check(source: string, scope: ExpressionScope): Checked | Error {
    const issues: Issue[] = []
    const parsed = parse(source, this.macros)
    if (!parsed.expr) return new Error(formatIssues(source, parsed.issues))
    const declarations: Declarations = {
      variables: scope.variables,
      functions: this.functions,
      types: this.types,
      field: (struct, field) => scope.field(struct, field),
      maker: (struct) => scope.maker?.(struct),
    }
    const checked = check(parsed.expr, declarations, issues)
    if (issues.length === 0) validateLiterals(checked, this.#patterns, issues)
    return issues.length > 0 ? new Error(formatIssues(source, issues)) : checked
  }

  /** A program that evaluates a checked expression. Throws `ConstantError` where a constant is invalid, as in `int('x')`. */
  compile(checked: Checked): Program {
    return compile(checked, this.#patterns)
  }
}

function standardLibraries(patterns: Patterns): readonly Library[] {
  return [
    operators(),
    conversions(),
    text(patterns),
    times(),
    optionals(),
    mapInsertion(),
    strings(),
    lists(),
    sets(),
    regularExpressions(patterns),
    urls(),
    quantity(),
    ip(),
    cidr(),
    semanticVersions(),
    namedFormats(),
  ]
}
