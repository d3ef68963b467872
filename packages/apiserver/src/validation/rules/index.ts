/**
 * The rules in CEL that schemas of custom resources carry (`x-kubernetes-validations`): checked when a CRD is written, and
 * compiled once for each version of it. An evaluation always ends: it has a limit, and so have all of an object.
 */
export { ruleErrors, ruleFormErrors } from './check-rules.ts'
export { defaultRuleErrors, evaluateRules } from './evaluate-rules.ts'
export { parseFieldPath } from './field-path.ts'
export { partTree, ruleTree } from './rule-tree.ts'
export { shownFields, shownSchema, shownVersions } from './shown-schema.ts'
