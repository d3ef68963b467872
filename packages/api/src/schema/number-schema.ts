import { Schema, type MarksOf } from './schema.ts'

/** How a number is stored elsewhere. The server holds whole numbers of `int32` to 32 bits. */
export type NumberFormat = 'int32' | 'int64' | 'float' | 'double'

/** A number, whole or not, or some numbers only. */
export class NumberSchema<Value extends number = number> extends Schema<Value> {
  /** The smallest value that is accepted. */
  min(minimum: number): this {
    return this.with({ minimum, exclusiveMinimum: undefined })
  }

  /** The largest value that is accepted. */
  max(maximum: number): this {
    return this.with({ maximum, exclusiveMaximum: undefined })
  }

  /** Values above this one, which is not accepted itself. */
  greaterThan(minimum: number): this {
    return this.with({ minimum, exclusiveMinimum: true })
  }

  /** Values below this one, which is not accepted itself. */
  lessThan(maximum: number): this {
    return this.with({ maximum, exclusiveMaximum: true })
  }

  /** Whole multiples of this number. */
  multipleOf(multipleOf: number): this {
    return this.with({ multipleOf })
  }

  /** These numbers only. */
  enum<const Values extends readonly [Value, ...Value[]]>(
    ...values: Values
  ): NumberSchema<Values[number]> & MarksOf<this> {
    return this.with({ enum: values })
  }

  format(format: NumberFormat): this {
    return this.with({ format })
  }
}
