import { Schema, type MarksOf, type ReadShape, type Shape, type WriteShape } from './schema.ts'

/** An object with keys that are known. Others are pruned, unless it preserves them. */
export class ObjectSchema<Keys extends Shape, Others = unknown> extends Schema<
  ReadShape<Keys> & Others,
  WriteShape<Keys> & Others
> {
  static of<Keys extends Shape>(keys: Keys): ObjectSchema<Keys> {
    const required = Object.keys(keys).filter((key) => !keys[key]?.isOptional && !keys[key]?.hasDefault)
    return new ObjectSchema({
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(Object.entries(keys).map(([key, { structural }]) => [key, structural])),
    })
  }

  minProperties(minProperties: number): this {
    return this.with({ minProperties })
  }

  maxProperties(maxProperties: number): this {
    return this.with({ maxProperties })
  }

  /** One manager owns the whole of it in server-side apply. */
  atomic(): this {
    return this.with({ 'x-kubernetes-map-type': 'atomic' })
  }

  /** Keeps keys that the schema does not name, rather than prune them. */
  preserveUnknown(): ObjectSchema<Keys, Record<string, unknown>> & MarksOf<this> {
    return this.with({ 'x-kubernetes-preserve-unknown-fields': true })
  }
}
