import { Schema } from './schema.ts'

/** A whole number or a string. */
export class IntOrStringSchema extends Schema<number | string> {
  /** A regular expression that some part of a string must match; numbers are not affected. */
  pattern(pattern: string): this {
    return this.with({ pattern })
  }

  /** The smallest number that is accepted; strings are not affected. */
  min(minimum: number): this {
    return this.with({ minimum })
  }

  /** The largest number that is accepted; strings are not affected. */
  max(maximum: number): this {
    return this.with({ maximum })
  }

  minLength(minLength: number): this {
    return this.with({ minLength })
  }

  maxLength(maxLength: number): this {
    return this.with({ maxLength })
  }
}
