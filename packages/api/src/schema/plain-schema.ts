import { Schema } from './schema.ts'

/** A schema that has no limits of its own to set. */
export class PlainSchema<Value> extends Schema<Value> {}
