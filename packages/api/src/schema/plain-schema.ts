import { Schema } from './schema.ts'

/** A schema without methods for limits. */
export class PlainSchema<Value> extends Schema<Value> {}
