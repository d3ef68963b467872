import { deepEqual } from '@homeostat/api'
import type { FieldPath } from '../stories/index.ts'
import { managedFields, valueAt } from '../world/index.ts'

/** How many fields of one object are tried. */
const MOST = 16

/** A field that the operator set, with another value for it. */
export interface OwnedField {
  readonly path: FieldPath
  readonly other: unknown
}

/**
 * The fields of an object that the operator set, from the managed fields of the API server. For an object that was
 * created and not applied, they include the server's own defaults: then only fields that were sent count.
 */
export function ownedFields(object: any, managers: ReadonlySet<string>, sent: unknown): OwnedField[] {
  const fields: OwnedField[] = []
  for (const { manager, operation, path } of managedFields(object)) {
    if (!managers.has(manager)) continue
    if (path[0] === 'metadata' && path[1] !== 'labels' && path[1] !== 'annotations') continue
    if (operation === 'Update' && valueAt(sent, path) === undefined) continue
    const value = valueAt(object, path)
    const isCoded = typeof value === 'string' && isBase64(object, path)
    const other = isCoded ? btoa(`${atob(value)}x`) : otherValue(value)
    if (other !== undefined && !fields.some((field) => deepEqual(field.path, path)))
      fields.push({ path, other })
  }
  return fields.slice(0, MOST)
}

/** Whether the server accepts nothing but base64 at a place. */
function isBase64({ kind }: any, [field]: FieldPath): boolean {
  return (kind === 'Secret' && field === 'data') || (kind === 'ConfigMap' && field === 'binaryData')
}

/** Another value of the same type; `undefined` where none is likely to be accepted. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return typeof value === 'string' ? `${value}x` : undefined
}
