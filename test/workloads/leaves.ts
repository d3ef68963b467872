/** The leaves of a document by their paths: `status.conditions[Ready].status`. */
export type Leaves = ReadonlyMap<string, unknown>

/** Takes a document apart. Elements of lists that have a name of some kind are found under it, wherever they stand. */
export function leavesOf(document: unknown): Leaves {
  const leaves = new Map<string, unknown>()
  collect(document, '', leaves)
  return leaves
}

function collect(value: unknown, path: string, leaves: Map<string, unknown>): void {
  if (Array.isArray(value)) {
    const keys = value.map(keyOf)
    if (value.length > 0 && keys.every((key) => key !== undefined) && new Set(keys).size === keys.length) {
      for (const [index, item] of value.entries()) {
        const { type: _, ...rest } = item
        collect(typeof item.type === 'string' ? rest : item, `${path}[${keys[index]}]`, leaves)
      }
    } else {
      leaves.set(path, value)
    }
    return
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    leaves.set(path, value)
    return
  }
  for (const [key, child] of Object.entries(value)) {
    const part = /^[\w-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `[${key}]`
    collect(child, `${path}${part}`, leaves)
  }
}

function keyOf(item: any): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const key: unknown = item.type ?? item.targetRef?.name ?? item.name ?? item.ip
  return typeof key === 'string' ? key : undefined
}
