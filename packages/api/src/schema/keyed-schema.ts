import { Schema } from './schema.ts'

/** A JSON object, whose keys the schema names or leaves open. */
export abstract class KeyedSchema<Read, Write = Read> extends Schema<Read, Write> {
  minProperties(minProperties: number): this {
    return this.with({ minProperties })
  }

  maxProperties(maxProperties: number): this {
    return this.with({ maxProperties })
  }

  /** One manager owns the whole object in server-side apply. */
  atomic(): this {
    return this.with({ 'x-kubernetes-map-type': 'atomic' })
  }

  /** Each key has its own owner in server-side apply. This is the default; the method makes it explicit. */
  granular(): this {
    return this.with({ 'x-kubernetes-map-type': 'granular' })
  }
}
