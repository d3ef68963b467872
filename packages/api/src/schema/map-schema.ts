import { Schema, type AnySchema, type ReadOf, type WriteOf } from './schema.ts'

/** An object with any keys, and values of one schema. */
export class MapSchema<Value extends AnySchema> extends Schema<
  Record<string, ReadOf<Value>>,
  Record<string, WriteOf<Value>>
> {
  minProperties(minProperties: number): this {
    return this.with({ minProperties })
  }

  maxProperties(maxProperties: number): this {
    return this.with({ maxProperties })
  }

  /** One manager owns the whole map in server-side apply. */
  atomic(): this {
    return this.with({ 'x-kubernetes-map-type': 'atomic' })
  }

  /** Each key has its own owner in server-side apply. This is the default; the method makes it explicit. */
  granular(): this {
    return this.with({ 'x-kubernetes-map-type': 'granular' })
  }
}
