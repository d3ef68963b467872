import type { ColumnDefinition, PrintedObject } from '../../registry/index.ts'
import { ageOf } from './age.ts'

/**
 * A column of text that always shows, unless `options` says otherwise. `generated/column-descriptions.ts` has its description, by the
 * kind and the name of the column.
 */
export function column(
  name: string,
  type: 'string' | 'integer' | 'boolean' | 'date' = 'string',
  options: { wide?: boolean; format?: string } = {},
): ColumnDefinition {
  return { name, type, format: options.format ?? '', description: '', priority: options.wide ? 1 : 0 }
}

/** A column that shows only with `-o wide`. */
export function wide(name: string): ColumnDefinition {
  return column(name, 'string', { wide: true })
}

/** The column that tools read as the name of the object. */
export const NAME = column('Name', 'string', { format: 'name' })

export const AGE = column('Age')

/** The cell of the {@link NAME} column. */
export function nameOf(object: PrintedObject): string {
  return object.metadata?.name ?? ''
}

/** The cell of the {@link AGE} column. */
export function age(object: PrintedObject, now: number): string {
  return ageOf(object.metadata?.creationTimestamp, now)
}
