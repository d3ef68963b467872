import { HomeostatError, isJsonObject } from '@homeostat/api'

/** Finds values in an object; none where nothing matches the path. */
export type JsonPath = (object: unknown) => unknown[]

type Step = (value: unknown) => unknown[]

const QUOTED = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/y

/**
 * Reads a JSON path of the simple kind that printer columns have: fields (`.spec.replicas`,
 * `.labels.example\.com/part`, `.labels['example\.com/part']`), indexes, slices, `*` and filters such as
 * `[?(@.type=="Ready")]`. Throws `JSON_PATH_INVALID` on anything else.
 */
export function parseJsonPath(text: string): JsonPath {
  const reader = new Reader(text)
  const steps = reader.steps()
  if (!reader.atEnd) throw reader.error('this part cannot be parsed')
  return (object) => walk([object], steps)
}

function walk(values: unknown[], steps: readonly Step[]): unknown[] {
  return steps.reduce((values, step) => values.flatMap(step), values)
}

class Reader {
  #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.#position >= this.#text.length
  }

  error(why: string): HomeostatError {
    const place = `at character ${this.#position + 1}`
    return new HomeostatError(
      'JSON_PATH_INVALID',
      `The JSON path ${JSON.stringify(this.#text)} cannot be used for a column: ${why} (${place}). ` +
        'Write a path such as .spec.replicas or .status.conditions[?(@.type=="Ready")].status',
    )
  }

  /** Reads as many steps as there are. */
  steps(): Step[] {
    const steps: Step[] = []
    this.#take('$')
    while (!this.atEnd) {
      if (this.#take('..')) throw this.error('a search at any depth is not supported')
      if (this.#take('.')) {
        const name = this.#match(/(?:\\.|[^\\.[\]()=!<>&| ])+/y)
        if (name === '*') steps.push(children)
        else if (name !== undefined) steps.push(field(name.replaceAll(/\\(.)/g, '$1')))
        else if (steps.length > 0 || !this.atEnd) throw this.error('a name is missing after the dot')
      } else if (this.#take('[')) {
        steps.push(this.#bracket())
      } else {
        break
      }
    }
    return steps
  }

  #bracket(): Step {
    const step = this.#bracketContent()
    if (!this.#take(']')) throw this.error('the bracket does not end here')
    return step
  }

  #bracketContent(): Step {
    if (this.#take('?(')) return this.#filter()
    if (this.#take('*')) return children
    const name = this.#match(QUOTED)
    // A dot separates fields inside quotes as well: `['a.b']` is `.a.b`, and `['a\\.b']` is one field.
    if (name !== undefined) return this.#path(`.${name.slice(1, -1)}`)
    const range = this.#match(/-?\d*(?::-?\d*){0,2}/y)
    // Empty brackets mean the first one.
    if (range === '' && this.#text[this.#position] === ']') return index(0)
    if (!range) throw this.error('a name in quotes, an index or a filter must follow the bracket')
    if (!range.includes(':')) return index(Number(range))
    const [from, to, by] = range.split(':').map((part) => (part === '' ? undefined : Number(part)))
    return slice(from, to, by ?? 1)
  }

  #path(text: string): Step {
    const reader = new Reader(text)
    const steps = reader.steps()
    if (!reader.atEnd) throw this.error('the name in quotes cannot be parsed')
    return (value) => walk([value], steps)
  }

  #filter(): Step {
    const left = this.#operand()
    this.#match(/ */y)
    const operator = this.#match(/==|!=|<=|>=|<|>/y)
    this.#match(/ */y)
    const comparison = operator === undefined ? undefined : { operator, right: this.#operand() }
    if (!this.#take(')')) throw this.error('the filter does not end here')
    return (value) => {
      if (!Array.isArray(value)) return []
      return value.filter((item) => {
        const found = left(item)
        if (!comparison) return found.length > 0
        const wanted = comparison.right(item)
        return found.length === 1 && wanted.length === 1 && compare(found[0], comparison.operator, wanted[0])
      })
    }
  }

  #operand(): JsonPath {
    this.#match(/ */y)
    if (this.#take('@')) {
      const steps = this.steps()
      return (item) => walk([item], steps)
    }
    const literal = this.#quoted() ?? this.#number() ?? this.#boolean()
    if (literal === undefined)
      throw this.error('a filter compares @.field with text, a number, true or false')
    return () => [literal]
  }

  #quoted(): string | undefined {
    const quoted = this.#match(QUOTED)
    return quoted?.slice(1, -1).replaceAll(/\\(.)/g, '$1')
  }

  #number(): number | undefined {
    const digits = this.#match(/-?\d+(?:\.\d+)?/y)
    return digits === undefined ? undefined : Number(digits)
  }

  #boolean(): boolean | undefined {
    const word = this.#match(/true|false/y)
    return word === undefined ? undefined : word === 'true'
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#position)) return false
    this.#position += text.length
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position
    const match = pattern.exec(this.#text)
    if (!match) return undefined
    this.#position += match[0].length
    return match[0]
  }
}

function field(name: string): Step {
  return (value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : [])
}

function index(at: number): Step {
  return (value) => {
    if (!Array.isArray(value)) return []
    const position = at < 0 ? value.length + at : at
    return position in value ? [value[position]] : []
  }
}

function slice(from: number | undefined, to: number | undefined, by: number): Step {
  return (value) =>
    Array.isArray(value) ? value.slice(from, to).filter((_, position) => position % by === 0) : []
}

const children: Step = (value) => {
  if (Array.isArray(value)) return value
  return isJsonObject(value) ? Object.values(value) : []
}

/** Values of different types are never equal, and have no order. */
function compare(left: unknown, operator: string, right: unknown): boolean {
  if (typeof left !== typeof right) return operator === '!='
  const [a, b] = [left as string, right as string]
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}
