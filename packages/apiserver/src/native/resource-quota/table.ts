import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const resourceQuotaPrinter: Printer = {
  columns: [NAME, column('Request'), column('Limit'), AGE],
  cells(object, now) {
    const hard: Record<string, string> = object.status?.hard ?? {}
    const used: Record<string, string> = object.status?.used ?? {}
    const shown = (limits: boolean): string =>
      Object.keys(hard)
        .filter((name) => name.startsWith('limits.') === limits)
        .sort()
        .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`)
        .join(', ')
    return [nameOf(object), shown(false), shown(true), age(object, now)]
  },
}
