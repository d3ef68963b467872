import type { StatusCause } from '@homeostat/api'
import { quote } from '../schema/index.ts'
import type { Manager } from './managers.ts'
import { pathText, type PathElement } from './path-element.ts'

/** A field that another manager owns with another value. */
export interface FieldConflict {
  /** The name of the other manager. */
  readonly manager: string
  /** Its name in messages: with its subresource, and the version of its update. */
  readonly managerText: string
  /** `.spec.replicas`. */
  readonly field: string
  readonly path: readonly PathElement[]
}

/** A conflict with a manager about a field. */
export function conflictWith(manager: Manager, path: readonly PathElement[]): FieldConflict {
  const subresource = manager.subresource === '' ? '' : ` with subresource ${quote(manager.subresource)}`
  const version = manager.operation === 'Update' ? ` using ${manager.apiVersion}` : ''
  const managerText = `${quote(manager.name)}${subresource}${version}`
  return { manager: manager.name, managerText, field: pathText(path), path }
}

/** The message of the Status that refuses a contested apply. */
export function conflictMessage(conflicts: readonly FieldConflict[]): string {
  const [first, ...more] = conflicts
  if (first && more.length === 0) {
    const { managerText, field } = first
    return `Apply failed with 1 conflict: conflict with ${managerText}: ${field}`
  }
  const byManager = Map.groupBy(conflicts, ({ managerText }) => managerText)
  const lines = [...byManager].flatMap(([manager, list]) => [
    `conflicts with ${manager}:`,
    ...list.map(({ field }) => `- ${field}`),
  ])
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

/** The causes of that Status: one for each field. */
export function conflictCauses(conflicts: readonly FieldConflict[]): StatusCause[] {
  return conflicts.map(({ managerText, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText}`,
    field,
  }))
}
