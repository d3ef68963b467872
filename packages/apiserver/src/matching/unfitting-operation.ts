import type { JsonPatchOperation } from '@homeostat/api'
import { getKey, isObject } from '../schema/index.ts'

/** The message for an operation that does not fit a document, as kube-apiserver's library has it. */
export function unfittingOperation({ op, path }: JsonPatchOperation, document: unknown): string {
  if (op === 'test') return `testing value ${path} failed: test failed`
  const names = path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = names.pop() ?? ''
  if (op === 'remove' && isObject(valueAt(document, names))) {
    return `error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`
  }
  return `${op} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`
}

function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document
  for (const name of names) {
    if (Array.isArray(value)) value = value[Number(name)]
    else value = isObject(value) ? getKey(value, name) : undefined
  }
  return value
}
