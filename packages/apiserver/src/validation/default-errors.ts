import { oncePerObject } from '@homeostat/api'
import {
  aggregate,
  embeddedProblem,
  copyJson,
  embeddedErrors,
  equalJson,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  prune,
  type SchemaNode,
  setKey,
} from '../schema/index.ts'
import { defaultRuleErrors, partTree } from './rules/index.ts'
import { validateValue } from './validate.ts'
import { addAll } from '../work/index.ts'

/** The resource that a node of a schema is in. */
interface Surrounding {
  /** Its schema. */
  readonly resource: SchemaNode
  /** Whether the node is in its metadata, kind or apiVersion. */
  readonly inMetadata: boolean
  /** The resource that has nothing but a value at the place of the node. */
  readonly around: (value: unknown) => unknown
}

const IN_METADATA = new Set(['metadata', 'kind', 'apiVersion'])

/** Validates that the defaults of a schema have no unknown fields, conform to the schema, and keep its rules. */
export function defaultErrors(root: JsonObject, field: string): FieldError[] {
  const resource: SchemaNode = { ...root, [EMBEDDED]: true }
  return errorsIn(resource, field, { resource, inMetadata: false, around: (value) => value })
}

const EMBEDDED = 'x-kubernetes-embedded-resource'

function errorsIn(node: SchemaNode, field: string, outer: Surrounding): FieldError[] {
  const embedded = node[EMBEDDED] === true
  const inside = embedded ? { resource: node, inMetadata: false, around: (value: unknown) => value } : outer
  const errors = node.default === undefined || node.default === null ? [] : errorsOf(node, field, inside)
  const visit = (child: unknown, at: string, next: Surrounding): void => {
    if (isObject(child)) addAll(errors, errorsIn(child, at, next))
  }
  const { around } = inside
  visit(node.items, `${field}.items`, { ...inside, around: (value) => around([value]) })
  for (const [name, property] of Object.entries(objectOf(node.properties))) {
    visit(property, `${field}.properties[${name}]`, {
      ...inside,
      inMetadata: inside.inMetadata || (embedded && IN_METADATA.has(name)),
      around: (value) => around({ [name]: value }),
    })
  }
  return errors
}

function errorsOf(
  node: SchemaNode,
  field: string,
  { resource, inMetadata, around }: Surrounding,
): FieldError[] {
  const at = `${field}.default`
  const value = node.default
  const errors: FieldError[] = []
  if (inMetadata) {
    const whole = { kind: 'Validation', apiVersion: 'validation/v1', ...objectOf(around(value)) }
    const found = resourceErrorsIn(resource, whole, '')
    if (found.length > 0) {
      return [invalidValue(at, value, `must result in valid metadata: ${aggregate(found)}`)]
    }
  } else {
    if (hasUnknownFields(node, value)) errors.push(invalidValue(at, value, 'must not have unknown fields'))
    const found = resourceErrorsIn(node, value, at)
    if (found.length > 0) return [...errors, ...found]
  }
  const found = validateValue(withoutIntOrString(objectOf(node)), value, at)
  return [...errors, ...(found.length > 0 ? found : brokenRules(node, value, at))]
}

/** Validates the resources in a value: whether their types and metadata can be read comes first. */
function resourceErrorsIn(node: SchemaNode, value: unknown, path: string): FieldError[] {
  const problem = embeddedProblem({ root: node, definitions: {} }, value, path)
  return problem ? [problem] : embeddedErrors(node, value, path)
}

/** Whether a value has fields that its schema does not have. Those in the metadata of a resource are dropped, and are no mistake. */
function hasUnknownFields(node: SchemaNode, value: unknown): boolean {
  const holder = { root: { type: 'object', properties: { value: node } }, definitions: {} } as const
  const pruned = copyJson(value)
  prune(holder, { value: pruned }, { keepsMetadata: true })
  return !equalJson(pruned, value)
}

function brokenRules(node: SchemaNode, value: unknown, at: string): FieldError[] {
  const tree = partTree(node, node[EMBEDDED] === true)
  return tree ? defaultRuleErrors(tree, value, at) : []
}

/** A schema for the validation of a default. As in Kubernetes, a default of a number or text may have any type. */
const withoutIntOrString = oncePerObject((node: JsonObject): JsonObject => {
  const copy: JsonObject = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === 'x-kubernetes-int-or-string' && value === true) continue
    setKey(copy, key, isObject(value) ? withoutIntOrString(value) : value)
  }
  return copy
})
