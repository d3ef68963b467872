/** Which events matter. A predicate decides only from the event, before a handler turns it into requests. */
export { annotationsChanged, generationChanged, labelsChanged, resourceVersionChanged } from './changed.ts'
export { hasLabels } from './has-labels.ts'
export { and, not, or, type Predicate } from './predicate.ts'
