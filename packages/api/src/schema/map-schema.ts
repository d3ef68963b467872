import { KeyedSchema } from './keyed-schema.ts'
import type { AnySchema, ReadOf, WriteOf } from './schema.ts'

/** An object with any keys, and values of one schema. */
export class MapSchema<Value extends AnySchema> extends KeyedSchema<
  Record<string, ReadOf<Value>>,
  Record<string, WriteOf<Value>>
> {}
