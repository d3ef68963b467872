/** What JSON.parse does not tell about a text. */
export interface JsonScan {
  /** The paths of keys that stand twice in one object, such as `spec.ports[0].name`, each once. */
  readonly duplicates: readonly string[]
  /** How deep objects and lists are nested. */
  readonly depth: number
  /** The first number that does not survive being read: a whole number between 2^53 and 2^63, or one that is infinite. */
  readonly lostNumber?: { readonly path: string; readonly text: string } | undefined
}

interface Level {
  /** The keys seen so far; undefined in a list. */
  readonly keys: Set<string> | undefined
  readonly path: string
  key: string
  index: number
}

const QUOTE = 34
const BACKSLASH = 92
const MINUS = 45
const ZERO = 48
const NINE = 57
/** `1e309` is the shortest number that is not read as it is written. */
const SHORTEST_LOST = 5
const MOST_WHOLE = 2 ** 63

/**
 * Walks over a JSON text that `JSON.parse` accepts, without recursion. Of a text that is no JSON it may say anything,
 * but it ends.
 */
export function scanJson(text: string): JsonScan {
  const duplicates = new Set<string>()
  const levels: Level[] = []
  let depth = 0
  let position = 0
  let expectKey = false
  let lostNumber: JsonScan['lostNumber']
  while (position < text.length) {
    const level = levels.at(-1)
    switch (text[position]) {
      case '{':
      case '[': {
        const isObject = text[position] === '{'
        levels.push({ keys: isObject ? new Set() : undefined, path: pathOf(level), key: '', index: 0 })
        depth = Math.max(depth, levels.length)
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
          if (level.keys.has(level.key)) duplicates.add(pathOf(level))
          level.keys.add(level.key)
          expectKey = false
        }
        position = end
        break
      }
      default: {
        const number = numberAt(text, position)
        if (number === undefined) break
        if (!lostNumber && !survives(number)) lostNumber = { path: pathOf(level), text: number }
        position += number.length - 1
        break
      }
    }
    position++
  }
  return { duplicates: [...duplicates], depth, lostNumber }
}

function pathOf(level: Level | undefined): string {
  if (!level) return ''
  if (!level.keys) return `${level.path}[${level.index}]`
  return level.path === '' ? level.key : `${level.path}.${level.key}`
}

const NUMBER = /-?\d[-+.\deE]*/y

function numberAt(text: string, position: number): string | undefined {
  const code = text.charCodeAt(position)
  if (code !== MINUS && (code < ZERO || code > NINE)) return undefined
  NUMBER.lastIndex = position
  return NUMBER.exec(text)?.[0]
}

/** Whether the number is the same when it is written again. What 64 bits do not hold is a fraction to everyone. */
export function survives(text: string): boolean {
  if (text.length < SHORTEST_LOST) return true
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  return Math.abs(value) > MOST_WHOLE || /[.eE]/.test(text) || String(value) === text
}

function endOfString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === BACKSLASH) position++
    else if (code === QUOTE) return position
  }
  return text.length
}

function keyText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
