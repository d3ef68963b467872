/** A JSON value as TypeScript source. Lines after the first are indented by `indent`. */
export function printValue(value: unknown, indent = ''): string {
  if (typeof value === 'string') return printString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const short = Array.isArray(value)
    ? `[${value.map((item) => printValue(item)).join(', ')}]`
    : `{ ${fieldsOf(value, '').join(', ')} }`
  if (Object.keys(value).length === 0) return Array.isArray(value) ? '[]' : '{}'
  if (short.length <= 80 && !short.includes('\n')) return short
  const inner = `${indent}  `
  const lines = Array.isArray(value) ? value.map((item) => printValue(item, inner)) : fieldsOf(value, inner)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`
}

function fieldsOf(value: object, indent: string): string[] {
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${printName(name)}: ${printValue(field, indent)}`)
}

/** The key of an object, in quotes where it needs them. */
export function printName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : printString(name)
}

/** A string in single quotes. */
export function printString(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/\\(.)/g, (escape, character) => (character === '"' ? '"' : escape))
    .replaceAll("'", "\\'")
  return `'${inner}'`
}
