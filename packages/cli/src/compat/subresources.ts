import { deepEqual, type CustomResourceVersionSource } from '@homeostat/api'
import type { Report } from './rules.ts'

type Version = CustomResourceVersionSource

/** C9 to C12: compares the subresources, selectable fields and columns of a version. */
export function compareSubresources(old: Version, next: Version, report: Report): void {
  const [before, after] = [old.subresources, next.subresources]
  if (before?.status && !after?.status)
    report('C9', 'breaking', 'subresources.status', 'requests to /status get 404')
  if (!before?.status && after?.status) {
    const reason = 'a write of the object no longer changes its status: clients must write /status'
    report('C9', 'breaking', 'subresources.status', reason)
  }
  if (before?.scale && !after?.scale)
    report(
      'C10',
      'breaking',
      'subresources.scale',
      'requests to /scale get 404: kubectl scale and autoscalers fail',
    )
  else if (!before?.scale && after?.scale) report('C10', 'safe', 'subresources.scale', '/scale is served')
  else if (!deepEqual(before?.scale, after?.scale)) {
    const reason = '/scale reads or writes other fields'
    report('C10', 'breaking', 'subresources.scale', reason)
  }
  compareSelectable(old, next, report)
  if (!deepEqual(old.additionalPrinterColumns ?? [], next.additionalPrinterColumns ?? []))
    report('C12', 'safe', 'additionalPrinterColumns', 'kubectl get prints other columns')
}

/** C11. */
function compareSelectable(old: Version, next: Version, report: Report): void {
  const paths = ({ selectableFields = [] }: Version): string[] =>
    selectableFields.map(({ jsonPath }) => jsonPath)
  const gone = paths(old).filter((path) => !paths(next).includes(path))
  const added = paths(next).filter((path) => !paths(old).includes(path))
  if (gone.length > 0)
    report(
      'C11',
      'breaking',
      'selectableFields',
      `lists and watches that select by ${gone.join(', ')} are refused`,
    )
  if (added.length > 0) report('C11', 'safe', 'selectableFields', `lists can select by ${added.join(', ')}`)
}
