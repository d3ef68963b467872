/**
 * The Common Expression Language as a Kubernetes API server has it: it parses and checks expressions against declared
 * types, estimates what they may cost, and evaluates them under a meter that ends what costs too much. It knows
 * nothing of schemas or objects, and nothing in it waits or looks at the clock.
 */
export { estimateCost } from './cost/cost-estimate.ts'
export { equalValues } from './values/compare.ts'
export { Language, type LanguageOptions, type Scope } from './language.ts'
export { parseRequestUri } from './libraries/request-uri.ts'
export { ArrayList } from './values/list-value.ts'
export { CostLimitExceeded, Meter } from './cost/meter.ts'
export { overload, type Library } from './libraries/overload.ts'
export { Patterns } from './libraries/patterns.ts'
export { ConstantError, type Program } from './evaluate/program.ts'
export { valueText } from './values/value-text.ts'
export { parseDuration, parseTimestamp } from './values/time.ts'
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  opaqueType,
  optionalType,
  STRING,
  structType,
  TIMESTAMP,
  type Type,
} from './types/type.ts'
export {
  Duration,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  Optional,
  Timestamp,
  type Value,
} from './values/value.ts'
