import { additionalOf, propertiesOf, type SchemaNode } from '../../schema/index.ts'

/** A path such as `.spec['key'].name` in a schema, in the notation of errors, and the schema there. */
export interface FieldPath {
  readonly text: string
  readonly node: SchemaNode
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
}

/** Follows a path through a schema, or returns its error. `indexes` says whether it may contain `['key']`. */
export function parseFieldPath(path: string, root: SchemaNode, indexes = true): FieldPath | Error {
  const tokens = path.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]]+/gs) ?? []
  let node = root
  let text = ''
  for (let index = 0; index < tokens.length;) {
    const open = tokens[index++]
    let name: string
    if (open === '.') {
      const field = tokens[index++]
      if (field === undefined) return new Error('unexpected end of JSON path')
      name = field
    } else if (open === '[') {
      if (!indexes) return new Error('array notation is not allowed')
      const quoted = tokens[index++]
      if (quoted === undefined) return new Error('unexpected end of JSON path')
      const key = unquote(quoted)
      if (key instanceof Error) return key
      name = key
    } else {
      return new Error(`expected [ or . but got: ${open}`)
    }
    const next = step(node, name)
    if (!next) return new Error('does not refer to a valid field')
    node = next.node
    text += next.key ? `[${name}]` : `${text === '' ? '' : '.'}${name}`
    if (open === '[') {
      const close = tokens[index++]
      if (close === undefined) return new Error('unexpected end of JSON path')
      if (close !== ']') return new Error(`expected ] but got ${close}`)
    }
  }
  return { text, node }
}

function unquote(token: string): string | Error {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return new Error(`expected single quoted string but got ${token}`)
  }
  let wrong: string | undefined
  const text = token.slice(1, -1).replace(/\\./gs, (escape) => {
    const char = ESCAPES[escape.slice(1)]
    if (char === undefined) wrong ??= escape
    return char ?? ''
  })
  return wrong === undefined ? text : new Error(`invalid string literal: invalid escape char ${wrong}`)
}

function step(node: SchemaNode, name: string): { node: SchemaNode; key: boolean } | undefined {
  if (node.properties) {
    const property = propertiesOf(node).get(name)
    return property && { node: property, key: false }
  }
  const additional = additionalOf(node)
  return additional && { node: additional, key: true }
}
