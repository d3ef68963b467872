import { HomeostatError } from '../errors/index.ts'
import { Schema, type MarksOf } from './schema.ts'

/** A string, or one of a set of strings. */
export class StringSchema<Value extends string = string> extends Schema<Value> {
  /**
   * A regular expression that some part of the string must match: anchor it with `^` and `$` to match the whole
   * string.
   */
  pattern(pattern: string | RegExp): this {
    if (typeof pattern === 'string') return this.with({ pattern })
    if (pattern.flags !== '') {
      throw new HomeostatError(
        'SCHEMA_INVALID',
        `the pattern ${pattern} has flags, which a schema cannot express: write them into the expression`,
      )
    }
    return this.with({ pattern: pattern.source })
  }

  minLength(minLength: number): this {
    return this.with({ minLength })
  }

  maxLength(maxLength: number): this {
    return this.with({ maxLength })
  }

  /** Accepts only these strings. */
  enum<const Values extends readonly [Value, ...Value[]]>(
    ...values: Values
  ): StringSchema<Values[number]> & MarksOf<this> {
    return this.with({ enum: values })
  }

  /** A format that the API server knows, such as `uri`, `ipv4` or `byte`; it ignores formats that it does not know. */
  format(format: string): this {
    return this.with({ format })
  }
}
