import { eachObject, qualifiedName, required, requiredOneOf } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  label1035Problems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

/** What is wrong with the expressions of admission policies, before they are compiled as CEL. */

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const IDENTIFIER = /^[A-Za-z_]\w*$/
const NOT_SPECIFIED = 'expression is not specified'

function isBlank(value: unknown): boolean {
  return textOf(value ?? '').trim() === ''
}

/** What kind of object a policy has its parameters from. */
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
      addAll(errors, wrong(version, `${field}.apiVersion`, subdomainProblems(group)))
    }
    addAll(errors, wrong(version, `${field}.apiVersion`, label1035Problems(last)))
  }
  const name = textOf(kind ?? '')
  if (name === '') return [...errors, requiredValue(`${field}.kind`)]
  return [...errors, ...wrong(name, `${field}.kind`, label1035Problems(name.toLowerCase()))]
}

function wrong(value: string, field: string, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalidValue(field, value, problem))
}

/** The conditions under which a policy is asked. */
export function validateMatchConditions(value: unknown, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(value, field, ({ name, expression }, at) => {
    const errors = isBlank(expression) ? [requiredValue(`${at}.expression`)] : []
    if (!name) return [...errors, requiredValue(`${at}.name`)]
    addAll(errors, qualifiedName(name, `${at}.name`))
    if (seen.has(name)) errors.push(duplicateValue(`${at}.name`, name))
    seen.add(name)
    return errors
  })
}

/** Words of the language, which name nothing else. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

/** The names that expressions give to others. */
export function validateVariables(value: unknown, field: string): FieldError[] {
  return eachObject(value, field, ({ name, expression }, at) => {
    const errors: FieldError[] = []
    if (!name) errors.push(requiredValue(`${at}.name`, 'name is not specified'))
    else if (!IDENTIFIER.test(textOf(name)) || RESERVED.has(textOf(name))) {
      errors.push(invalidValue(`${at}.name`, name, 'must be a valid CEL identifier'))
    }
    if (isBlank(expression)) errors.push(requiredValue(`${at}.expression`, NOT_SPECIFIED))
    return errors
  })
}

/** What a policy demands, and what it writes into the log. */
export function validateValidations(policy: JsonObject): FieldError[] {
  const { validations, auditAnnotations } = objectOf(policy['spec'])
  if (listOf(validations).length === 0 && listOf(auditAnnotations).length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    return [requiredValue('spec.validations', detail), requiredValue('spec.auditAnnotations', detail)]
  }
  const policyName = textOf(objectOf(policy['metadata'])['name'] ?? '')
  const seen = new Set<unknown>()
  return [
    ...eachObject(validations, 'spec.validations', validationErrors),
    ...eachObject(auditAnnotations, 'spec.auditAnnotations', ({ key, valueExpression }, at) => {
      const errors = qualifiedName(`${policyName}/${textOf(key ?? '')}`, `${at}.key`)
      if (isBlank(valueExpression)) {
        errors.push(requiredValue(`${at}.valueExpression`, 'valueExpression is not specified'))
      }
      if (seen.has(key)) errors.push(duplicateValue(`${at}.key`, key))
      seen.add(key)
      return errors
    }),
  ]
}

function validationErrors(validation: JsonObject, field: string): FieldError[] {
  const { expression, message, messageExpression, reason } = validation
  const errors: FieldError[] = []
  if (isBlank(expression)) errors.push(requiredValue(`${field}.expression`, NOT_SPECIFIED))
  if (messageExpression && isBlank(messageExpression)) {
    const detail = 'must be non-empty if specified'
    errors.push(invalidValue(`${field}.messageExpression`, messageExpression, detail))
  }
  if (message && isBlank(message)) {
    errors.push(invalidValue(`${field}.message`, message, 'must be non-empty if specified'))
  } else if (/[\r\n]/.test(textOf(message ?? ''))) {
    errors.push(invalidValue(`${field}.message`, message, 'must not contain line breaks'))
  } else if (!message && /[\r\n]/.test(textOf(expression ?? ''))) {
    const detail = 'message must be specified if expression contains line breaks'
    errors.push(requiredValue(`${field}.message`, detail))
  }
  if (reason !== undefined && !REASONS.includes(textOf(reason))) {
    errors.push(unsupportedValue(`${field}.reason`, reason, REASONS))
  }
  return errors
}

/** How a policy changes objects. */
export function validateMutations(spec: JsonObject): FieldError[] {
  const field = 'spec.mutations'
  const errors =
    listOf(spec['mutations']).length === 0
      ? [requiredValue(field, 'mutations must contain at least one item')]
      : eachObject(spec['mutations'], field, mutationErrors)
  const policies = ['IfNeeded', 'Never']
  return [...errors, ...requiredOneOf(spec['reinvocationPolicy'], policies, 'spec.reinvocationPolicy')]
}

const FORMS = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const

function mutationErrors(mutation: JsonObject, field: string): FieldError[] {
  const { patchType } = mutation
  const errors: FieldError[] = []
  for (const [type, part] of Object.entries(FORMS)) {
    const form = mutation[part]
    const at = `${field}.${part}`
    if (type === patchType) {
      if (isObject(form)) addAll(errors, required(form['expression'], `${at}.expression`))
      else errors.push(requiredValue(at, `must be specified when patchType is ${type}`))
    } else if (isObject(form) && patchType) {
      errors.push(
        invalidValue(at, `{${part}}`, `must not be specified when patchType is ${textOf(patchType)}`),
      )
    }
  }
  if (patchType && Object.hasOwn(FORMS, textOf(patchType))) return errors
  return requiredOneOf(patchType, Object.keys(FORMS), `${field}.patchType`)
}
