/**
 * The CEL rules in schemas of custom resources (`x-kubernetes-validations`). They are checked when a CRD is written,
 * and compiled once for each version. Each evaluation has a cost limit, and so have all evaluations for one object.
 */
export { ruleErrors, ruleFormErrors } from './check-rules.ts'
export { defaultRuleErrors, evaluateRules } from './evaluate-rules.ts'
export { parseFieldPath } from './field-path.ts'
export { partTree, ruleTree } from './rule-tree.ts'
export { shownFields, shownSchema, shownVersions } from './shown-schema.ts'
export { structureProblem } from './structure-problem.ts'
