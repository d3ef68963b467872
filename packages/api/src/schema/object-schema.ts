import type { ObjectMetaInput } from '../names/index.ts'
import { KeyedSchema } from './keyed-schema.ts'
import type { MarksOf, ReadShape, Schema, Shape, WriteShape } from './schema.ts'

/** The fields of an embedded resource besides its own keys. */
export interface EmbeddedType {
  apiVersion: string
  kind: string
  metadata?: ObjectMetaInput | undefined
}

/** The keys that a schema lists as required. */
export function requiredKeys(keys: Shape): string[] {
  return Object.entries(keys)
    .filter(([, { isRequired, isOptional, hasDefault }]) => isRequired || (!isOptional && !hasDefault))
    .map(([key]) => key)
}

/** An object with known keys. The server prunes other keys, unless `preserveUnknown` keeps them. */
export class ObjectSchema<Keys extends Shape, Others = unknown> extends KeyedSchema<
  ReadShape<Keys> & Others,
  WriteShape<Keys> & Others
> {
  static of<Keys extends Shape>(keys: Keys): ObjectSchema<Keys> {
    const required = requiredKeys(keys)
    return new ObjectSchema({
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(Object.entries(keys).map(([key, { structural }]) => [key, structural])),
    })
  }

  /** Keeps keys that the schema does not name, instead of pruning them. */
  preserveUnknown(): ObjectSchema<Keys, Others & Record<string, unknown>> & MarksOf<this> {
    return this.with({ 'x-kubernetes-preserve-unknown-fields': true })
  }

  /** Makes it an object of some kind, with a type and metadata that the server checks, besides these keys. */
  embeddedResource(): ObjectSchema<Keys, Others & EmbeddedType> & MarksOf<this> {
    const embedded: Schema<any, any> = this.with({ 'x-kubernetes-embedded-resource': true })
    return embedded as ObjectSchema<Keys, Others & EmbeddedType> & MarksOf<this>
  }
}
