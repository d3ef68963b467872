import type { RecordedObject } from '../../src/recording/entry.ts'

type Fields = { readonly [name: string]: Fields }

/** Finds the manager that set the field at a path. Where several did, it is the one that the server names last. */
export class FieldOwners {
  readonly #owners = new Map<string, string>()
  /** The managers, in the order in which the object names them. */
  readonly managers: readonly string[]

  constructor(object: RecordedObject) {
    const managers = new Set<string>()
    for (const { manager = '', fieldsV1 } of object.metadata.managedFields ?? []) {
      managers.add(manager)
      if (fieldsV1) this.#walk(fieldsV1, object, [], manager)
    }
    this.managers = [...managers]
  }

  /** The manager of a field, or of the nearest field around it that was set as a whole. */
  ownerOf(path: readonly (string | number)[]): string | undefined {
    for (let length = path.length; length > 0; length--) {
      const owner = this.#owners.get(keyOf(path.slice(0, length)))
      if (owner !== undefined) return owner
    }
    return undefined
  }

  #walk(fields: Fields, value: unknown, path: readonly (string | number)[], manager: string): void {
    const names = Object.keys(fields)
    if (names.length === 0 && path.length > 0) this.#owners.set(keyOf(path), manager)
    for (const name of names) {
      const below = fields[name] ?? {}
      if (name.startsWith('f:')) {
        const field = name.slice(2)
        this.#walk(below, memberOf(value, field), [...path, field], manager)
      } else if (name.startsWith('k:') || name.startsWith('v:')) {
        const index = indexOf(value, name)
        if (index >= 0) this.#walk(below, (value as unknown[])[index], [...path, index], manager)
      }
    }
  }
}

function keyOf(path: readonly (string | number)[]): string {
  return JSON.stringify(path)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function indexOf(list: unknown, name: string): number {
  if (!Array.isArray(list)) return -1
  const wanted: unknown = JSON.parse(name.slice(2))
  if (name.startsWith('v:')) return list.indexOf(wanted)
  return list.findIndex((item) =>
    Object.entries(wanted as object).every(([key, value]) => memberOf(item, key) === value),
  )
}
