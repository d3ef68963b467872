import { nameOf, pathText } from '../stories/index.ts'
import { managedFields, valueAt, type Difference, type Outcome } from '../world/index.ts'

/**
 * Whether a field has values that the server filled in, in both runs. A default may follow from another field at the time of the
 * creation, such as `imagePullPolicy` from the image: it stays when that field changes, and the operator did not set it.
 */
export function isDefaulted(
  { object, path, expected, found }: Difference,
  runs: readonly Outcome[],
): boolean {
  if (!path.startsWith('spec.') || expected === undefined || found === undefined) return false
  return runs.every((outcome) => {
    const stored = outcome.objects.find((one) => nameOf(one) === object)
    return stored !== undefined && !isSet(stored, path, outcome)
  })
}

/**
 * Whether a client set the field, or a value with one owner around it, such as a list of volume claim templates. The
 * fields of an object that was created and not applied include defaults: then only those that were sent count.
 */
function isSet(stored: any, text: string, { written }: Outcome): boolean {
  const sent = written.find((one) => nameOf(one) === nameOf(stored))?.sent
  for (const { path, operation } of managedFields(stored)) {
    const owned = pathText(path)
    if (text !== owned && !text.startsWith(`${owned}.`) && !text.startsWith(`${owned}[`)) continue
    if (operation === 'Apply' || sent === undefined || valueAt(sent, path) !== undefined) return true
  }
  return false
}
