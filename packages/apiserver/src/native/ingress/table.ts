import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { loadBalancer } from '../service/load-balancer-cell.ts'

export const ingressPrinter: Printer = {
  columns: [NAME, column('Class'), column('Hosts'), column('Address'), column('Ports'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.ingressClassName ?? '<none>',
    hosts(object.spec?.rules ?? []),
    loadBalancer(object),
    (object.spec?.tls ?? []).length > 0 ? '80, 443' : '80',
    age(object, now),
  ],
}

/** Rules without a host are not shown, but are counted in "+ 2 more...". */
function hosts(rules: readonly PrintedObject[]): string {
  const shown = rules.filter((rule) => rule.host).slice(0, 3)
  const text = shown.map((rule) => rule.host).join(',')
  const more = shown.length === 3 && rules.at(-1) !== shown[2]
  return more ? `${text} + ${rules.length - 3} more...` : text || '*'
}
