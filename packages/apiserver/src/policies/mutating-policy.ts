import { applyJsonPatch, PatchError, type JsonPatchOperation } from '@homeostat/api'
import { ListValue, listType, type Type } from '@homeostat/cel'
import {
  APPLIED_TYPE,
  Evaluation,
  MadeObject,
  MadePatch,
  OutOfBudget,
  PATCH_TYPE,
  POLICY_BUDGET,
  type CompiledExpression,
  type ExpressionProblem,
} from '../expressions/index.ts'
import { ConfigurationProblem, mergeConfiguration } from '../fields/index.ts'
import { unfittingOperation } from '../matching/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import type { ServerObject } from '../registry/index.ts'
import { isObject, listOf, objectOf, textOf, type TypeSchema } from '../schema/index.ts'
import { checkTypeNames, madeJson, MutationProblem } from './made-json.ts'
import {
  compilePolicy,
  meetsPolicyConditions,
  type PolicyExpressions,
  type PolicyInvocation,
} from './policy-evaluation.ts'
import type { Policy } from './policy.ts'

/** The result types of mutations, by the type of the patch. */
const RESULTS: ReadonlyMap<string, readonly [part: string, result: Type]> = new Map([
  ['ApplyConfiguration', ['applyConfiguration', APPLIED_TYPE]],
  ['JSONPatch', ['jsonPatch', listType(PATCH_TYPE)]],
])

/** One mutation of a policy. */
export interface Mutation {
  readonly expression: CompiledExpression | ExpressionProblem
}

/** A MutatingAdmissionPolicy whose expressions are compiled. */
export class MutatingPolicy {
  readonly isReinvoked: boolean
  readonly mutations: readonly Mutation[]
  readonly #policy: Policy
  readonly #metrics: ServerMetrics
  readonly #expressions: PolicyExpressions

  constructor(policy: Policy, metrics: ServerMetrics) {
    this.#policy = policy
    this.#metrics = metrics
    this.#expressions = compilePolicy(policy)
    this.isReinvoked = policy.spec['reinvocationPolicy'] === 'IfNeeded'
    const { compiler, options } = this.#expressions
    this.mutations = listOf(policy.spec['mutations']).flatMap((value) => {
      const mutation = objectOf(value)
      const [part, result] = RESULTS.get(textOf(mutation['patchType'] ?? '')) ?? []
      if (part === undefined || result === undefined) return []
      const source = textOf(objectOf(mutation[part])['expression'] ?? '')
      return [{ expression: compiler.compile(source, [result], { ...options, patches: true }) }]
    })
  }

  /** Whether the match conditions hold, or why they cannot be evaluated. */
  meets(invocation: PolicyInvocation): boolean | { readonly problem: string } {
    return meetsPolicyConditions(this.#policy, this.#expressions, invocation, this.#metrics)
  }

  /** Applies a mutation to a copy of the object. Fails with `MutationProblem`. */
  mutate(
    mutation: Mutation,
    { values }: PolicyInvocation,
    object: ServerObject,
    schema: TypeSchema | undefined,
  ): unknown {
    const evaluation = new Evaluation(values, this.#expressions.compiler.variables, POLICY_BUDGET)
    const made = evaluated(evaluation, mutation)
    if (made instanceof MadeObject) return configured(made, object, schema)
    if (made instanceof ListValue) return patched(made, object)
    throw new MutationProblem('the expression of a mutation returned neither an object nor a patch')
  }
}

function evaluated(evaluation: Evaluation, { expression }: Mutation): unknown {
  try {
    const result = evaluation.evaluate(expression)
    if ('problem' in result) throw new MutationProblem(result.problem)
    return result.value
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
    throw new MutationProblem(error.message)
  }
}

function configured(made: MadeObject, object: ServerObject, schema: TypeSchema | undefined): unknown {
  checkTypeNames(made)
  if (!schema) {
    throw new MutationProblem(
      'this API server applies configurations only to objects that it stores: use a JSONPatch here',
    )
  }
  const configuration = { ...objectOf(madeJson(made)), apiVersion: object.apiVersion, kind: object.kind }
  try {
    return mergeConfiguration(schema, object, configuration)
  } catch (error) {
    if (!(error instanceof ConfigurationProblem)) throw error
    throw new MutationProblem(`error applying patch: ${error.message}`)
  }
}

function patched(operations: ListValue, object: ServerObject): unknown {
  let document: unknown = object
  for (const made of operations) {
    if (!(made instanceof MadePatch))
      throw new MutationProblem('a patch contains a value that is not a JSONPatch')
    const operation = operationOf(made)
    try {
      document = applyJsonPatch(document, [operation])
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      // A patch whose test fails does not apply to this object.
      if (operation.op === 'test') return object
      throw new MutationProblem(`JSON Patch: ${unfittingOperation(operation, document)}`)
    }
  }
  return document
}

function operationOf({ fields }: MadePatch): JsonPatchOperation {
  const value = fields.get('value')
  if (value instanceof MadeObject) checkTypeNames(value)
  const operation: Record<string, unknown> = {
    op: '',
    path: '',
    ...Object.fromEntries(Array.from(fields, ([name, field]) => [name, madeJson(field)])),
  }
  if (!isOperation(operation)) {
    throw new MutationProblem(`JSON Patch: Unexpected kind: ${textOf(operation['op'] ?? '')}`)
  }
  return operation
}

function isOperation(value: Record<string, unknown>): value is JsonPatchOperation & Record<string, unknown> {
  return (
    isObject(value) &&
    ['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(textOf(value['op'] ?? ''))
  )
}
