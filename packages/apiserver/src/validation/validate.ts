import type { ScaleSubresource } from '@homeostat/api'
import {
  embeddedErrors,
  ErrorList,
  type FieldError,
  getKey,
  invalidValue,
  isObject,
  propertiesOf,
  ROOT,
  type SchemaNode,
  type TypeSchema,
} from '../schema/index.ts'
import { listTypeErrors } from './list-types.ts'
import { evaluateRules, ruleTree } from './rules/index.ts'
import { scaleErrors, statusScaleErrors } from './scale.ts'
import { checkValue } from './check-value.ts'

/**
 * Validates a custom resource by its schema, with a Kubernetes API server's messages: values, then embedded
 * resources, then duplicates in lists of type set and map, then rules. With `old`, errors of unchanged parts are not
 * reported; `warn` is called for rules that these break.
 */
export function validate(
  schema: TypeSchema,
  value: unknown,
  old?: unknown,
  { warn, scale, others = [], kindErrors = [] }: ValidateOptions = {},
): FieldError[] {
  const errors = new ErrorList<FieldError>()
  if (kindErrors.length > 0) errors.pushAll(kindErrors)
  else {
    checkValue({ root: ROOT, prefix: '' }, schema.root, value, old, '', errors)
    if (scale) errors.pushAll(scaleErrors(scale, value))
  }
  errors.pushAll(embeddedErrors(schema.root, value, ''))
  errors.pushAll(newListTypeErrors(schema.root, value, old, ''))
  return withRules(schema, value, old, unique(errors.errors), warn, others)
}

/** Validates the status, as the status endpoint does: its paths begin at the status, except for those of rules. */
export function validateStatus(
  schema: TypeSchema,
  object: unknown,
  old?: unknown,
  { warn, scale }: ValidateOptions = {},
): FieldError[] {
  const node = propertiesOf(schema.root).get('status')
  const status = isObject(object) ? getKey(object, 'status') : undefined
  const errors = new ErrorList<FieldError>()
  if (node && status !== undefined) {
    const oldStatus = isObject(old) ? getKey(old, 'status') : undefined
    checkValue({ root: 'status', prefix: 'status.' }, node, status, oldStatus, '', errors)
    errors.pushAll(embeddedErrors(node, status, 'status'))
    errors.pushAll(newListTypeErrors(node, status, oldStatus, 'status'))
  }
  if (scale) errors.pushAll(statusScaleErrors(scale, object))
  return withRules(schema, object, old, unique(errors.errors), warn)
}

/** Options of a validation. */
export interface ValidateOptions {
  /** Called for rules that an unchanged part of the object breaks. */
  readonly warn?: ((message: string) => void) | undefined
  /** The paths of the replicas, which have their own limits. */
  readonly scale?: ScaleSubresource | undefined
  /** Other errors of the object: rules are not evaluated where a required value is missing. */
  readonly others?: readonly FieldError[]
  /** Errors of the object's kind. Such an object is checked by list types and rules, but not by its schema. */
  readonly kindErrors?: readonly FieldError[]
}

/** Duplicates are errors only where the old object had none. */
function newListTypeErrors(node: SchemaNode, value: unknown, old: unknown, path: string): FieldError[] {
  const errors = listTypeErrors(node, value, path)
  if (errors.length === 0 || old === undefined) return errors
  return listTypeErrors(node, old, path).length > 0 ? [] : errors
}

/** The errors that prevent the evaluation of rules, which rely on valid values. */
const BLOCKING: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

function withRules(
  { root }: TypeSchema,
  value: unknown,
  old: unknown,
  errors: FieldError[],
  warn?: (message: string) => void,
  others: readonly FieldError[] = [],
): FieldError[] {
  const tree = ruleTree(root)
  if (!tree) return errors
  if ([...others, ...errors].some(({ reason }) => BLOCKING.has(reason))) {
    const detail =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
    return [...errors, invalidValue(ROOT, null, detail)]
  }
  return [...errors, ...evaluateRules(tree, value, old, warn)]
}

/** Validates one value by a schema node, for the defaults of a CRD. `field` is the path of the value. */
export function validateValue(node: SchemaNode, value: unknown, field: string): FieldError[] {
  const errors = new ErrorList<FieldError>()
  const place = { root: field, prefix: `${field}.`, keepsFormats: true }
  checkValue(place, node, value, undefined, '', errors)
  return unique(errors.errors)
}

function unique(errors: readonly FieldError[]): FieldError[] {
  if (errors.length === 0) return []
  const seen = new Set<string>()
  return errors.filter(({ field, message }) => {
    const line = `${field}: ${message}`
    return !seen.has(line) && seen.add(line)
  })
}
