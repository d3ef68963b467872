/**
 * The documents that describe the server, and its objects as tables. `Discovery` serves the documents by which
 * clients find groups, versions, resources and schemas; they follow the catalogue at once. `negotiate` reads an
 * Accept header, and `tableOf` makes the rows that `kubectl get` prints, with Kubernetes' own columns.
 */
export { Discovery } from './discover.ts'
export type { Extensions, ExtensionVersion, Priority } from './extensions/extensions.ts'
export { isPretty } from './answer/pretty.ts'
export { MEDIA_TYPES, negotiate, type Accepted } from './answer/negotiate.ts'
export { ageOf, shortDuration } from './tables/age.ts'
export { AGE, age, column, NAME, nameOf, wide } from './tables/printer.ts'
export { scaleResource } from './tables/scale.ts'
export { tableForms } from './tables/lazy-tables.ts'
export type { IncludeObject } from './tables/table.ts'
