import { Schema, type MarksOf } from './schema.ts'

/** How a number is stored elsewhere. The server holds whole numbers of `int32` to 32 bits. */
export type NumberFormat = 'int32' | 'int64' | 'float' | 'double'

/** A number, or one of a set of numbers. */
export class NumberSchema<Value extends number = number> extends Schema<Value> {
  /** The smallest value that is accepted. */
  min(minimum: number): this {
    return this.with({ minimum, exclusiveMinimum: undefined })
  }

  /** The largest value that is accepted. */
  max(maximum: number): this {
    return this.with({ maximum, exclusiveMaximum: undefined })
  }

  /** Accepts only values above this one (exclusive). */
  greaterThan(minimum: number): this {
    return this.with({ minimum, exclusiveMinimum: true })
  }

  /** Accepts only values below this one (exclusive). */
  lessThan(maximum: number): this {
    return this.with({ maximum, exclusiveMaximum: true })
  }

  /** Accepts only whole multiples of this number. */
  multipleOf(multipleOf: number): this {
    return this.with({ multipleOf })
  }

  /** Accepts only these numbers. */
  enum<const Values extends readonly [Value, ...Value[]]>(
    ...values: Values
  ): NumberSchema<Values[number]> & MarksOf<this> {
    return this.with({ enum: values })
  }

  format(format: NumberFormat): this {
    return this.with({ format })
  }
}
