import type { FuzzCase } from '../fuzz-case.ts'
import { isTreeObject, type Tree } from '../json-tree.ts'

/**
 * Whether our refusal helps the client to find its mistake: it has a cause that names a field, or its message names the
 * kind, the object, or a field that the client sent. A short name counts where the message quotes it.
 */
export function namesMistake({ kind, requests }: FuzzCase, lines: readonly string[]): boolean {
  if (lines.some((line) => /^(?:\d: )?only ours: \w+ (?!<nil>)[^:]+: /.test(line))) return true
  const message = lines.map((line) => /^(?:\d: )?message: (.*), not /s.exec(line)?.[1]).join(' ')
  const words = new Set(message.split(/[^\w-]+/))
  const known = [
    kind.split(' ').at(-1) ?? '',
    ...requests.flatMap(({ path, body }) => [...steps(path), ...namesIn(body)]),
  ]
  const quoted = new Set([...message.matchAll(/ key "([^"]+)"/g)].map(([, name]) => name))
  const named = (name: string): boolean => words.has(name) || (name.includes('.') && message.includes(name))
  return known.some((name) => (name.length > 2 && named(name)) || quoted.has(name))
}

function steps(path: string): string[] {
  return (path.split('?')[0] ?? '').split('/')
}

/** The keys of a body, and the names in it: of its kind, its fields and the paths of a JSON patch. */
function namesIn(body: Tree): string[] {
  if (Array.isArray(body)) return body.flatMap(namesIn)
  if (typeof body === 'string') return body.split(/[^\w-]+/)
  return isTreeObject(body) ? Object.entries(body).flatMap(([key, value]) => [key, ...namesIn(value)]) : []
}
