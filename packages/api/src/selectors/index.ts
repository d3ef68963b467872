/**
 * Selecting objects by their labels and fields: reading, writing and matching selectors. A problem of a selector is
 * described in the words of an API server, so that a server can answer with them.
 */
export {
  fieldSelectorFrom,
  fieldText,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
  type FieldRequirement,
  type FieldSelector,
} from './field-selector.ts'
export {
  formatLabelSelector,
  labelSelectorFrom,
  matchesLabels,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  type LabelSelectorSource,
} from './label-selector.ts'
export { labelKeyProblems, labelValueProblems } from './label-syntax.ts'
export { parseLabelSelector } from './parse-label-selector.ts'
export { SelectorError } from './selector-error.ts'
