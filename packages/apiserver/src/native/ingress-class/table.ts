import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

export const ingressClassPrinter: Printer = {
  columns: [NAME, column('Controller'), column('Parameters'), AGE],
  cells(object, now) {
    const isDefault = object.metadata?.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
    return [
      `${nameOf(object)}${isDefault ? ' (default)' : ''}`,
      object.spec?.controller ?? '',
      parameters(object.spec?.parameters),
      age(object, now),
    ]
  },
}

/** `Config.example.com/name`. */
function parameters(reference: PrintedObject | undefined): string {
  if (!reference) return '<none>'
  const group = reference.apiGroup === undefined ? '' : `.${reference.apiGroup}`
  return `${reference.kind ?? ''}${group}/${reference.name ?? ''}`
}
