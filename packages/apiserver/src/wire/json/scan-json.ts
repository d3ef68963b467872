interface Level {
  /** The keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined
  readonly path: string
  key: string
  index: number
}

/** How many duplicate fields are reported. */
const MOST_DUPLICATES = 100
const QUOTE = 34
const BACKSLASH = 92

/**
 * The first duplicate fields of a JSON text, each once: `duplicate field "spec.ports[0].name"`. Does not recurse. The
 * text must be valid JSON; for other texts the result is undefined, but the function ends.
 */
export function duplicateFields(text: string): string[] {
  const duplicates = new Set<string>()
  scanDuplicates(text, ({ path }) => {
    if (duplicates.size < MOST_DUPLICATES) duplicates.add(`duplicate field ${JSON.stringify(path)}`)
  })
  return [...duplicates]
}

/** As YAML 1.1 counts lines. */
const LINE_ENDS: ReadonlySet<string | undefined> = new Set(['\n', '\u0085', '\u2028', '\u2029'])

/**
 * The same with the messages of Kubernetes' YAML reader, which also reads JSON: `line 1: key "name" already set in
 * map`.
 */
export function duplicateKeysByLine(text: string): string[] {
  const duplicates: string[] = []
  let [line, counted] = [1, 0]
  scanDuplicates(text, ({ key, position }) => {
    if (duplicates.length >= MOST_DUPLICATES) return
    for (; counted < position; counted++) if (LINE_ENDS.has(text[counted])) line++
    duplicates.push(`line ${line}: key ${JSON.stringify(key)} already set in map`)
  })
  return duplicates
}

function scanDuplicates(
  text: string,
  found: (duplicate: { path: string; key: string; position: number }) => void,
): void {
  const levels: Level[] = []
  let position = 0
  let expectKey = false
  while (position < text.length) {
    const level = levels.at(-1)
    switch (text[position]) {
      case '{':
      case '[': {
        const isObject = text[position] === '{'
        levels.push({ keys: isObject ? new Set() : undefined, path: pathOf(level), key: '', index: 0 })
        expectKey = isObject
        break
      }
      case '}':
      case ']':
        levels.pop()
        expectKey = false
        break
      case ',':
        if (level && !level.keys) level.index++
        expectKey = level?.keys !== undefined
        break
      case '"': {
        const end = endOfString(text, position)
        if (expectKey && level?.keys) {
          level.key = keyText(text.slice(position, end + 1))
          if (level.keys.has(level.key)) found({ path: pathOf(level), key: level.key, position })
          level.keys.add(level.key)
          expectKey = false
        }
        position = end
        break
      }
    }
    position++
  }
}

function pathOf(level: Level | undefined): string {
  if (!level) return ''
  if (!level.keys) return `${level.path}[${level.index}]`
  return level.path === '' ? level.key : `${level.path}.${level.key}`
}

/** Where a string that begins at a quote ends: at its closing quote. */
export function endOfString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === BACKSLASH) position++
    else if (code === QUOTE) return position
  }
  return text.length
}

/** The text of a string in quotes. */
export function keyText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
