import { Schema } from './schema.ts'

/** A whole number or a string. */
export class IntOrStringSchema extends Schema<number | string> {
  /** An expression that a string must match somewhere; numbers are not held to it. */
  pattern(pattern: string): this {
    return this.with({ pattern })
  }

  /** The smallest number that is accepted; strings are not held to it. */
  min(minimum: number): this {
    return this.with({ minimum })
  }

  /** The largest number that is accepted; strings are not held to it. */
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
