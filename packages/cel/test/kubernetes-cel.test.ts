import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  ConstantError,
  CostLimitExceeded,
  estimateCost,
  EvaluationError,
  Language,
  Meter,
  OptionalValue,
  optionalType,
  type Value,
  valueText,
  type ValueSchema,
} from '../src/index.ts'
import { asResource, declaredType, scopeOf, sizeAt } from '../src/schema/declared-type.ts'
import { schemaValue } from '../src/schema/schema-value.ts'

/** Where an expression stands: at a schema, with values to evaluate it on. */
interface Setting {
  readonly schema: ValueSchema
  readonly root?: boolean
  readonly optional?: boolean
  readonly self?: unknown
  readonly oldSelf?: unknown
}

/** The results of the API server's own implementation for an expression. */
interface Recorded {
  readonly expr: string
  readonly in?: number
  readonly issues?: string
  /** The most that it may cost by estimate. */
  readonly max?: string
  readonly cost?: number
  readonly value?: string
  readonly error?: string
}

const { settings, cases } = JSON.parse(
  readFileSync(new URL('recorded/kubernetes-cel.json', import.meta.url), 'utf8'),
) as { settings: readonly Setting[]; cases: readonly Recorded[] }

/** Messages that differ: second errors of a parser that goes on after the first, and messages built of literals. */
const DIFFERENT = new Set([
  'has(self.null)',
  '@in',
  'google.protobuf.Duration{seconds: 1}',
  'dyn(1).all(x, true)',
])

const language = new Language()
const nothing: Setting = { schema: {} }

describe.each([
  ['expressions on their own', cases.filter((one) => one.in === undefined)],
  ['expressions at a schema', cases.filter((one) => one.in !== undefined)],
])('%s are checked, estimated, metered and evaluated as by Kubernetes', (_title, list) => {
  test.each(list.map((one) => [one.expr.slice(0, 80), one] as const))('%s', (_expr, one) => {
    const { expr, in: index, ...recorded } = one
    const setting = index === undefined ? undefined : settings[index]
    const actual = outcome(expr, setting, recorded)
    const expected = { ...recorded, type: undefined }
    if (DIFFERENT.has(expr)) expect(actual).not.toEqual(expected)
    else expect(actual).toEqual(expected)
  })
})

function outcome(expr: string, setting: Setting | undefined, recorded: Omit<Recorded, 'expr'>): object {
  const { schema, root = false, optional = false } = setting ?? nothing
  const declared = setting && declaredType(schema, root, 'selfType1')
  const scope = declared
    ? scopeOf(declared, optional ? optionalType(declared.type) : declared.type)
    : { variables: new Map(), field: () => undefined }
  const checked = language.check(expr, scope)
  if (checked instanceof Error) return { issues: checked.message }
  let program
  try {
    program = language.compile(checked)
  } catch (error) {
    if (error instanceof ConstantError) return { error: `program: ${error.message}` }
    throw error
  }
  const { max } = estimateCost(checked, (path) => {
    const size = declared && sizeAt(declared, path)
    return size === undefined ? undefined : { min: 0, max: size }
  })
  const meter = new Meter(10_000_000)
  const result = evaluated(() => program.evaluate((name) => variable(name, setting), meter))
  return {
    // Beyond 2^53 the estimate is counted in doubles.
    max: recorded.max && Math.abs(max / Number(recorded.max) - 1) < 1e-9 ? recorded.max : String(max),
    ...(recorded.cost !== undefined && { cost: recorded.error === undefined ? meter.cost : recorded.cost }),
    ...(result instanceof EvaluationError
      ? { error: result.message }
      : recorded.value !== undefined && { value: shown(result) }),
  }
}

function evaluated(evaluate: () => Value): Value {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof CostLimitExceeded) return new EvaluationError(error.message)
    throw error
  }
}

function variable(name: string, setting: Setting | undefined): Value | undefined {
  if (!setting) return undefined
  const node = setting.root ? asResource(setting.schema) : setting.schema
  if (name === 'self') return schemaValue(setting.self, node)
  if (name !== 'oldSelf') return undefined
  const old = setting.oldSelf === undefined ? undefined : schemaValue(setting.oldSelf, node)
  return setting.optional ? (old === undefined ? OptionalValue.none : new OptionalValue(old)) : old
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'bool',
  bigint: 'int',
  number: 'double',
  string: 'string',
}

function shown(value: Value): string {
  return `${TYPES[typeof value] ?? 'uint'}: ${valueText(value)}`
}
