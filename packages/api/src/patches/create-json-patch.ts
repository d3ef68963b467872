import type { JsonPatchOperation, JsonPointer } from './json-patch.ts'
import { copyJson, deepEqual, getKey, isJsonObject, type JsonObject } from '../json/index.ts'

/**
 * A small JSON Patch (RFC 6902) that turns `before` into `after`; empty when nothing differs. For objects it names
 * the keys that differ. Lists are compared from both ends, so that a list that only grew or shrank in one place
 * gets operations for that place; it is replaced as a whole only if that is shorter. Neither argument is changed,
 * and the patch shares nothing with them.
 */
export function createJsonPatch(before: unknown, after: unknown): JsonPatchOperation[] {
  return changes(copyJson(before), copyJson(after), '')
}

function changes(before: unknown, after: unknown, path: JsonPointer): JsonPatchOperation[] {
  if (deepEqual(before, after)) return []
  const whole: JsonPatchOperation[] = [{ op: 'replace', path, value: after }]
  if (isJsonObject(before) && isJsonObject(after)) return objectChanges(before, after, path)
  if (Array.isArray(before) && Array.isArray(after)) return shorter(listChanges(before, after, path), whole)
  return whole
}

function objectChanges(before: JsonObject, after: JsonObject, path: JsonPointer): JsonPatchOperation[] {
  const patch: JsonPatchOperation[] = []
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) patch.push({ op: 'remove', path: below(path, key) })
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) patch.push({ op: 'add', path: below(path, key), value })
    else for (const change of changes(getKey(before, key), value, below(path, key))) patch.push(change)
  }
  return patch
}

/** Keeps the items that both lists begin and end with. Compares those between in pairs, and adds or removes the rest. */
function listChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  path: JsonPointer,
): JsonPatchOperation[] {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && deepEqual(before[start], after[start])) start++
  let end = 0
  while (end < shortest - start && deepEqual(before.at(-1 - end), after.at(-1 - end))) end++
  const pairs = shortest - end
  const patch: JsonPatchOperation[] = []
  for (let index = start; index < pairs; index++) {
    for (const change of changes(before[index], after[index], below(path, index))) patch.push(change)
  }
  for (let index = before.length - end - 1; index >= pairs; index--)
    patch.push({ op: 'remove', path: below(path, index) })
  for (let index = pairs; index < after.length - end; index++)
    patch.push({ op: 'add', path: below(path, index), value: after[index] })
  return patch
}

function shorter(single: JsonPatchOperation[], whole: JsonPatchOperation[]): JsonPatchOperation[] {
  return single.length <= 1 || JSON.stringify(single).length <= JSON.stringify(whole).length ? single : whole
}

function below(path: JsonPointer, key: string | number): JsonPointer {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
