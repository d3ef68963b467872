import { Schema } from './schema.ts'

/** A number, whole or not. */
export class NumberSchema extends Schema<number> {
  /** The smallest value that is accepted. */
  min(minimum: number): this {
    return this.with({ minimum })
  }

  /** The largest value that is accepted. */
  max(maximum: number): this {
    return this.with({ maximum })
  }
}
