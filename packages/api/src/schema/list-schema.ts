import { Schema, type AnySchema, type ReadOf, type WriteOf } from './schema.ts'

/** The keys of an item that can identify it: always present, and neither objects nor lists. */
type MapKey<Item> = Item extends object
  ? { [K in keyof Item]-?: Item[K] extends string | number | boolean ? K : never }[keyof Item] & string
  : never

/** A list. Server-side apply treats it as one value, unless `set` or `mapBy` says how to merge it. */
export class ListSchema<Item extends AnySchema> extends Schema<ReadOf<Item>[], WriteOf<Item>[]> {
  minItems(minItems: number): this {
    return this.with({ minItems })
  }

  maxItems(maxItems: number): this {
    return this.with({ maxItems })
  }

  /** Each item at most once; each is owned by the managers that applied it. */
  set(): this {
    return this.with({ 'x-kubernetes-list-type': 'set' })
  }

  /**
   * The given keys identify an item: no two items can have the same values, and each field of an item has its own
   * owner.
   */
  mapBy(...keys: [MapKey<ReadOf<Item>>, ...MapKey<ReadOf<Item>>[]]): this {
    return this.with({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys })
  }

  /** One manager owns the whole list in server-side apply. This is the default; the method makes it explicit. */
  atomic(): this {
    return this.with({ 'x-kubernetes-list-type': 'atomic' })
  }
}
