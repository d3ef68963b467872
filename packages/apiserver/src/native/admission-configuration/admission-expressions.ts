import { BOOL, listType, NULL, STRING, type Type } from '@homeostat/cel'
import { eachObject, objectsIn, qualifiedName, requiredOneOf } from '../../checks/index.ts'
import {
  APPLIED_TYPE,
  ExpressionCompiler,
  PATCH_TYPE,
  type ExpressionOptions,
} from '../../expressions/index.ts'
import {
  byteLength,
  duplicateValue,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  kindNameProblem,
  label1035Problems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { compileErrors } from './match-conditions.ts'

/** Validates the expressions of admission policies. */

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const IDENTIFIER = /^[A-Za-z_]\w*$/
const NOT_SPECIFIED = 'expression is not specified'
const MAX_ANNOTATIONS = 20
const MAX_ANNOTATION_LENGTH = 5 * 1024

function isBlank(value: unknown): boolean {
  return textOf(value ?? '').trim() === ''
}

/** The kind of a policy's parameters. */
export function validateParamKind(value: unknown, field: string): FieldError[] {
  const { apiVersion, kind } = objectOf(value)
  const errors: FieldError[] = []
  const version = textOf(apiVersion ?? '')
  const parts = version.split('/')
  if (version === '') errors.push(requiredValue(`${field}.apiVersion`))
  else if (parts.length > 2) {
    const detail = `unexpected GroupVersion string: ${version}`
    errors.push(invalidValue(`${field}.apiVersion`, version, detail))
  } else {
    const [group = '', last = ''] = parts.length === 2 ? parts : ['', version]
    if (group !== '') {
      addAll(errors, wrong(group, `${field}.apiVersion`, subdomainProblems(group)))
    }
    if (last === '') errors.push(invalidValue(`${field}.apiVersion`, version, 'version must be specified'))
    else addAll(errors, wrong(last, `${field}.apiVersion`, label1035Problems(last)))
  }
  const name = textOf(kind ?? '')
  if (name === '') return [...errors, requiredValue(`${field}.kind`)]
  const problem = kindNameProblem(name)
  return problem === undefined ? errors : [...errors, invalidValue(`${field}.kind`, name, problem)]
}

function wrong(value: string, field: string, problems: readonly string[]): FieldError[] {
  return problems.length === 0 ? [] : [invalidValue(field, value, problems.join(','))]
}

/** Reserved words of CEL, which cannot be the name of a variable. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/** Compiles the expressions of one policy. An expression may use only the variables that are declared before it. */
export class PolicyExpressionChecks {
  readonly #compiler: ExpressionCompiler
  readonly #spec: JsonObject
  readonly #options: ExpressionOptions

  constructor(spec: JsonObject, { alwaysHasVariables }: { readonly alwaysHasVariables: boolean }) {
    const hasVariables = alwaysHasVariables || listOf(spec['variables']).length > 0
    this.#compiler = new ExpressionCompiler({ hasVariables })
    this.#spec = spec
    this.#options = { params: isObject(spec['paramKind']), authorizer: true }
  }

  /** Validates the variables of a policy: a name and an expression each. */
  variables(): FieldError[] {
    return eachObject(this.#spec['variables'], 'spec.variables', ({ name, expression }, at) => {
      const errors: FieldError[] = []
      const named = textOf(name ?? '')
      if (isBlank(name)) errors.push(requiredValue(`${at}.name`, 'name is not specified'))
      else if (!IDENTIFIER.test(named) || RESERVED.has(named)) {
        errors.push(invalidValue(`${at}.name`, name, 'must be a valid CEL identifier'))
      }
      if (isBlank(expression)) errors.push(requiredValue(`${at}.expression`, NOT_SPECIFIED))
      else {
        const compiled = this.#compiler.declare(named, textOf(expression), this.#options)
        addAll(errors, compileErrors(compiled, `${at}.expression`, expression))
      }
      return errors
    })
  }

  /** Validates `validations` and `auditAnnotations`. */
  validations(policyName: string): FieldError[] {
    const { validations, auditAnnotations } = this.#spec
    const count = listOf(auditAnnotations).length
    if (listOf(validations).length === 0 && count === 0) {
      const detail = 'validations or auditAnnotations must contain at least one item'
      return [requiredValue('spec.validations', detail), requiredValue('spec.auditAnnotations', detail)]
    }
    const seen = new Set<unknown>()
    const at = 'spec.auditAnnotations'
    // Kubernetes shows its Go structs, whose fields have other names.
    const shown = objectsIn(auditAnnotations).map(({ key, valueExpression }) => ({
      Key: key ?? '',
      ValueExpression: valueExpression ?? '',
    }))
    return [
      ...eachObject(validations, 'spec.validations', (one, field) => this.#validation(one, field)),
      ...(count > MAX_ANNOTATIONS
        ? [invalidValue(at, shown, `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`)]
        : []),
      ...eachObject(auditAnnotations, at, (one, field) => {
        const errors = this.#annotation(one, field, policyName)
        const { key } = one
        if (seen.has(key)) errors.push(duplicateValue(`${field}.key`, key))
        seen.add(key)
        return errors
      }),
    ]
  }

  #validation({ expression, message, messageExpression, reason }: JsonObject, field: string): FieldError[] {
    const errors: FieldError[] = []
    if (isBlank(expression)) errors.push(requiredValue(`${field}.expression`, NOT_SPECIFIED))
    else addAll(errors, this.#compile(expression, [BOOL], `${field}.expression`))
    if (messageExpression && isBlank(messageExpression)) {
      const detail = 'must be non-empty if specified'
      errors.push(invalidValue(`${field}.messageExpression`, messageExpression, detail))
    } else if (messageExpression) {
      const options = { ...this.#options, authorizer: false }
      addAll(errors, this.#compile(messageExpression, [STRING], `${field}.messageExpression`, options))
    }
    if (message && isBlank(message)) {
      errors.push(invalidValue(`${field}.message`, message, 'must be non-empty if specified'))
    } else if (/[\r\n]/.test(textOf(message ?? '').trim())) {
      errors.push(invalidValue(`${field}.message`, message, 'must not contain line breaks'))
    }
    if (reason !== undefined && !REASONS.includes(textOf(reason))) {
      errors.push(unsupportedValue(`${field}.reason`, reason, REASONS))
    }
    return errors
  }

  #annotation({ key, valueExpression }: JsonObject, field: string, policyName: string): FieldError[] {
    const errors =
      policyName === ''
        ? [invalidValue(`${field}.key`, key ?? '', 'requires metadata.name be non-empty')]
        : qualifiedName(`${policyName}/${textOf(key ?? '')}`, `${field}.key`)
    const at = `${field}.valueExpression`
    const source = textOf(valueExpression ?? '').trim()
    if (source === '') errors.push(requiredValue(at, 'valueExpression is not specified'))
    else if (byteLength(source) > MAX_ANNOTATION_LENGTH) {
      errors.push(requiredValue(at, `must not exceed ${MAX_ANNOTATION_LENGTH} bytes in length`))
    } else {
      const compiled = this.#compiler.compile(source, [STRING, NULL], this.#options)
      addAll(errors, compileErrors(compiled, at, valueExpression))
    }
    return errors
  }

  /** Validates the mutations of a policy. */
  mutations(): FieldError[] {
    const field = 'spec.mutations'
    const { mutations, reinvocationPolicy } = this.#spec
    const errors =
      listOf(mutations).length === 0
        ? [requiredValue(field, 'mutations must contain at least one item')]
        : eachObject(mutations, field, (one, at) => this.#mutation(one, at))
    return [...errors, ...requiredOneOf(reinvocationPolicy, ['IfNeeded', 'Never'], 'spec.reinvocationPolicy')]
  }

  #mutation(mutation: JsonObject, field: string): FieldError[] {
    const { patchType } = mutation
    const errors: FieldError[] = []
    for (const [type, { part, result }] of Object.entries(FORMS)) {
      const form = mutation[part]
      const at = `${field}.${part}`
      if (type === patchType) {
        if (!isObject(form)) errors.push(requiredValue(at, `must be specified when patchType is ${type}`))
        else if (isBlank(form['expression'])) errors.push(requiredValue(`${at}.expression`))
        else {
          const source = textOf(form['expression']).trim()
          const options = { ...this.#options, patches: true }
          addAll(errors, this.#compile(source, [result], `${at}.expression`, options))
        }
      } else if (isObject(form) && patchType) {
        errors.push(
          invalidValue(at, `{${part}}`, `must not be specified when patchType is ${textOf(patchType)}`),
        )
      }
    }
    if (patchType && Object.hasOwn(FORMS, textOf(patchType))) return errors
    return requiredOneOf(patchType, Object.keys(FORMS), `${field}.patchType`)
  }

  #compile(
    source: unknown,
    results: readonly Type[],
    field: string,
    options: ExpressionOptions = this.#options,
  ): FieldError[] {
    return compileErrors(this.#compiler.compile(textOf(source), results, options), field, source)
  }
}

/** The types of patches: the field that holds the expression, and the type that the expression returns. */
const FORMS = {
  ApplyConfiguration: { part: 'applyConfiguration', result: APPLIED_TYPE },
  JSONPatch: { part: 'jsonPatch', result: listType(PATCH_TYPE) },
} as const
