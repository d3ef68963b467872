import type { SchemaNode } from './type-schema.ts'

/**
 * Definitions by name, each parsed on first use: a server that only sees ConfigMaps does not pay for the rest. `text`
 * has one on each line, its name in quotes, a colon and its JSON. A node is the same object every time.
 */
export function lazyDefinitions(text: string): Readonly<Record<string, SchemaNode>> {
  let lines: Map<string, string> | undefined
  const parsed = new Map<string, SchemaNode>()
  const lineOf = (name: string): string | undefined => (lines ??= linesOf(text)).get(name)
  const get = (name: string): SchemaNode | undefined => {
    let node = parsed.get(name)
    if (node) return node
    const line = lineOf(name)
    if (line === undefined) return undefined
    node = JSON.parse(line) as SchemaNode
    parsed.set(name, node)
    return node
  }
  const asText = (key: string | symbol): string => (typeof key === 'string' ? key : '')
  return new Proxy<Record<string, SchemaNode>>(Object.create(null) as Record<string, SchemaNode>, {
    get: (_, key) => get(asText(key)),
    has: (_, key) => lineOf(asText(key)) !== undefined,
    ownKeys: () => [...(lines ??= linesOf(text)).keys()],
    getOwnPropertyDescriptor(_, key) {
      const value = get(asText(key))
      return value && { value, enumerable: true, configurable: true }
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  })
}

function linesOf(text: string): Map<string, string> {
  const lines = new Map<string, string>()
  for (let start = 0; start < text.length;) {
    let end = text.indexOf('\n', start)
    if (end < 0) end = text.length
    const quote = text.indexOf('"', start + 1)
    if (quote > start && quote < end) lines.set(text.slice(start + 1, quote), text.slice(quote + 2, end))
    start = end + 1
  }
  return lines
}
