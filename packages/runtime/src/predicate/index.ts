/** Which events matter. Predicates answer from the event alone, before a handler turns it into requests. */
export { annotationsChanged, generationChanged, labelsChanged, resourceVersionChanged } from './changed.ts'
export { hasLabels } from './has-labels.ts'
export { and, not, or, type Predicate } from './predicate.ts'
