import { BOOL, listType, mapType, STRING, structType, type ExpressionScope, type Type } from '@homeostat/cel'
import {
  compileExpression,
  Evaluation,
  joinProblems,
  jsonInCel,
  OutOfBudget,
  POLICY_BUDGET,
  type CompiledExpression,
  type ExpressionProblem,
} from '../expressions/index.ts'
import { objectOf, type JsonObject } from '../schema/index.ts'

const SPEC = structType('kubernetes.SubjectAccessReviewSpec')
const RESOURCE = structType('kubernetes.ResourceAttributes')
const PATH = structType('kubernetes.NonResourceAttributes')
const FIELDS = structType('kubernetes.FieldSelectorAttributes')
const LABELS = structType('kubernetes.LabelSelectorAttributes')
const REQUIREMENT = structType('kubernetes.SelectorRequirement')

const texts = (...names: readonly string[]): [string, Type][] => names.map((name) => [name, STRING])
const SELECTOR: [string, Type][] = [...texts('rawSelector'), ['requirements', listType(REQUIREMENT)]]

const TYPES: ReadonlyMap<string, ReadonlyMap<string, Type>> = new Map([
  [
    SPEC.name,
    new Map<string, Type>([
      ['resourceAttributes', RESOURCE],
      ['nonResourceAttributes', PATH],
      ...texts('user', 'uid'),
      ['groups', listType(STRING)],
      ['extra', mapType(STRING, listType(STRING))],
    ]),
  ],
  [
    RESOURCE.name,
    new Map<string, Type>([
      ...texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
      ['fieldSelector', FIELDS],
      ['labelSelector', LABELS],
    ]),
  ],
  [PATH.name, new Map(texts('path', 'verb'))],
  [FIELDS.name, new Map(SELECTOR)],
  [LABELS.name, new Map(SELECTOR)],
  [REQUIREMENT.name, new Map<string, Type>([...texts('key', 'operator'), ['values', listType(STRING)]])],
])

const SCOPE: ExpressionScope = {
  variables: new Map([['request', SPEC]]),
  field: (struct, field) => TYPES.get(struct)?.get(field),
}

/** A condition on the spec of a SubjectAccessReview. */
export type ReviewCondition = CompiledExpression

/** Compiles a condition. Returns kube-apiserver's message where the expression is not a condition. */
export function compileReviewCondition(source: string): ReviewCondition | ExpressionProblem {
  return compileExpression(source, SCOPE, [BOOL])
}

/**
 * Whether all conditions hold for a review. Where none is false and some cannot be evaluated, returns the reasons.
 */
export function meetsReview(conditions: readonly ReviewCondition[], spec: JsonObject): boolean | string {
  if (conditions.length === 0) return true
  const request = jsonInCel(completeSpec(spec))
  const problems: string[] = []
  for (const condition of conditions) {
    const evaluation = new Evaluation(
      (name) => (name === 'request' ? request : undefined),
      new Map(),
      POLICY_BUDGET,
    )
    try {
      const result = evaluation.evaluate(condition)
      if ('problem' in result) problems.push(`cel evaluation error: ${result.problem}`)
      else if (result.value !== true) return false
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      problems.push(`cel evaluation error: ${error.message}`)
    }
  }
  return problems.length === 0 ? true : joinProblems(problems)
}

/** Expressions see every field that holds a text, also where it is empty. */
function completeSpec({ resourceAttributes, nonResourceAttributes, ...user }: JsonObject): JsonObject {
  const empty = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' }
  return {
    user: '',
    groups: [],
    uid: '',
    extra: {},
    ...user,
    ...(resourceAttributes !== undefined && {
      resourceAttributes: { ...empty, ...objectOf(resourceAttributes) },
    }),
    ...(nonResourceAttributes !== undefined && {
      nonResourceAttributes: { path: '', verb: '', ...objectOf(nonResourceAttributes) },
    }),
  }
}
