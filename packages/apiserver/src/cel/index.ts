/**
 * The Common Expression Language as a Kubernetes API server has it: it parses and checks expressions against declared
 * types, estimates what they may cost, and evaluates them under a meter that ends what costs too much. It knows
 * nothing of schemas or objects, and nothing in it waits or looks at the clock.
 */
export { estimateCost } from './cost-estimate.ts'
export { equalValues } from './compare.ts'
export { Language, type Scope } from './environment.ts'
export { parseRequestUri } from './libraries/request-uri.ts'
export { ArrayList } from './list-value.ts'
export { CostLimitExceeded, Meter } from './meter.ts'
export { overload, type Library } from './overload.ts'
export { compilePattern, spendOnMatch } from './patterns.ts'
export { compile, ConstantError, type Program } from './program.ts'
export { parseDuration, parseTimestamp } from './time.ts'
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
} from './type.ts'
export {
  Duration,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  Optional,
  Timestamp,
  type Value,
} from './value.ts'
