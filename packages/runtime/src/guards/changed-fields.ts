/** Fields that change with every write. */
const ALWAYS_CHANGED = new Set(['metadata.resourceVersion', 'metadata.managedFields', 'metadata.generation'])

/**
 * The paths of the fields that differ between two versions of an object, such as `status.conditions[0].message`, at most `most`
 * of them. A list whose length differs is named as a whole.
 */
export function changedFields(before: unknown, after: unknown, most: number): string[] {
  const fields: string[] = []
  collect(before, after, '', fields, most)
  return fields
}

function collect(before: unknown, after: unknown, path: string, fields: string[], most: number): void {
  if (fields.length >= most || Object.is(before, after) || ALWAYS_CHANGED.has(path)) return
  if (!isContainer(before) || !isContainer(after) || !areAlike(before, after)) {
    fields.push(path)
    return
  }
  const isList = Array.isArray(after)
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const below = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    collect(before[name], after[name], below, fields, most)
  }
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Whether both are objects, or lists of one length, so that their parts can be compared. */
function areAlike(before: object, after: object): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return Array.isArray(before) === Array.isArray(after)
  return before.length === after.length
}
