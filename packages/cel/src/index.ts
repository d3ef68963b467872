/**
 * The Common Expression Language as a Kubernetes API server has it. An {@link Environment} checks expressions against declared
 * types or structural schemas; an {@link Expression} estimates its cost and evaluates under a limit. Nothing waits or looks at the
 * clock.
 */
export { CelError, type CelErrorCode } from './cel-error.ts'
export {
  Environment,
  Expression,
  type EnvironmentOptions,
  type Evaluation,
  type VariableTypes,
} from './environment.ts'
export { SchemaVariable, type SchemaVariableOptions } from './schema/schema-variable.ts'
export type { ValueSchema } from './schema/value-schema.ts'
export {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  listType,
  mapType,
  NULL,
  opaqueType,
  optionalType,
  STRING,
  structType,
  TIMESTAMP,
  UINT,
  type Type,
} from './types/type.ts'
export {
  DurationValue,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './values/value.ts'

// For programs that add functions to the language.
export { Language, type LanguageOptions } from './language.ts'
export { overload, type Library, type Overload } from './libraries/overload.ts'
export { Patterns } from './libraries/patterns.ts'

// For programs that compile and evaluate in separate steps, as the API server does with the rules of a schema.
export type { Checked } from './check/checker.ts'
export type { ExpressionScope, ObjectMaker } from './check/scope.ts'
export { estimateCost } from './cost/cost-estimate.ts'
export { CostLimitExceeded, Meter } from './cost/meter.ts'
export { ConstantError } from './evaluate/part.ts'
export type { Program } from './evaluate/program.ts'
export { parseAnyUrl, parseRequestUri } from './libraries/kubernetes/request-uri.ts'
export { isBase64, isDate, isDateTime, isUuid } from './libraries/kubernetes/text-formats.ts'
export {
  asResource,
  declaredType,
  REQUEST_SIZE,
  scopeOf,
  sizeAt,
  structFields,
  type DeclaredType,
} from './schema/declared-type.ts'
export { escapeName } from './schema/escape.ts'
export { schemaValue } from './schema/schema-value.ts'
export { equalValues } from './values/compare.ts'
export { ArrayList } from './values/list-value.ts'
export { EntryMap } from './values/map-value.ts'
export { valueText } from './values/value-text.ts'
