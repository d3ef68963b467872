import { exactInteger } from '@homeostat/api'
import {
  DurationValue,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  valueText,
  type Value,
} from '@homeostat/cel'
import { MadeObject } from '../expressions/index.ts'
import { type JsonObject, setKey } from '../schema/index.ts'

/** Why the result of an expression cannot be used. */
export class MutationProblem extends Error {
  override readonly name = 'MutationProblem'
}

/** Converts the value of an expression to JSON. Fails with `MutationProblem` for values that JSON does not have. */
export function madeJson(value: Value): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return exactInteger(value)
  if (value instanceof Uint) return exactInteger(value.value)
  if (value instanceof ListValue) return Array.from(value, madeJson)
  if (value instanceof MadeObject) return objectJson(value.fields)
  if (value instanceof MapValue) {
    return objectJson(Array.from(value.keys(), (key) => [textKey(key), value.get(key) ?? null] as const))
  }
  if (value instanceof Timestamp || value instanceof DurationValue) return valueText(value)
  if (value instanceof OptionalValue && value.value !== undefined) return madeJson(value.value)
  throw new MutationProblem(`unsupported value in a mutation: ${valueText(value)}`)
}

function objectJson(entries: Iterable<readonly [string, Value]>): JsonObject {
  const object: JsonObject = {}
  for (const [name, value] of entries) setKey(object, name, madeJson(value))
  return object
}

function textKey(key: Value): string {
  if (typeof key === 'string') return key
  throw new MutationProblem(`map key ${JSON.stringify(valueText(key))} is not a string`)
}

/** Fails with `MutationProblem` where a nested object does not have the type of its field. */
export function checkTypeNames(made: MadeObject): void {
  const problems = typeProblems(made, made.type.name)
  if (problems.length > 0) throw new MutationProblem(`type mismatch: ${problems.join('\n')}`)
}

function typeProblems(value: Value, expected: string): string[] {
  if (value instanceof MadeObject) {
    const { name } = value.type
    const own =
      name === expected
        ? []
        : [
            `unexpected type name ${JSON.stringify(name)}, expected ${JSON.stringify(expected)}, which matches field name path from root Object type`,
          ]
    return [...own, ...[...value.fields].flatMap(([field, one]) => typeProblems(one, `${expected}.${field}`))]
  }
  if (value instanceof ListValue) return Array.from(value).flatMap((one) => typeProblems(one, expected))
  if (value instanceof MapValue) {
    return Array.from(value.keys()).flatMap((key) => typeProblems(value.get(key) ?? null, expected))
  }
  return []
}
