import { isMap } from './content.ts'

/** A line of YAML, and the path of the field that it shows. */
export interface YamlLine {
  readonly text: string
  /** Names of fields and indexes of lists. */
  readonly path: readonly (string | number)[]
}

/** A value as lines of YAML, in the order in which its fields are. */
export function yamlLines(value: unknown): YamlLine[] {
  const lines: YamlLine[] = []
  write(value, [], 0, '', lines)
  return lines
}

export function yamlText(value: unknown): string {
  return `${yamlLines(value)
    .map(({ text }) => text)
    .join('\n')}\n`
}

type Path = readonly (string | number)[]

/** Writes a value behind what stands on its line already. */
function write(value: unknown, path: Path, indent: number, before: string, lines: YamlLine[]): void {
  const pad = ' '.repeat(indent)
  if (Array.isArray(value) && value.length > 0) {
    if (before !== '') lines.push({ text: before.trimEnd(), path })
    for (const [index, item] of value.entries()) write(item, [...path, index], indent + 2, `${pad}- `, lines)
  } else if (isMap(value) && Object.keys(value).length > 0) {
    const isItem = before.endsWith('- ')
    if (before !== '' && !isItem) lines.push({ text: before.trimEnd(), path })
    let start = isItem ? before : pad
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      // The members of a list stand below its name, without more space.
      const inner = Array.isArray(member) ? indent : indent + 2
      write(member, [...path, name], inner, `${start}${scalar(name)}: `, lines)
      start = pad
    }
  } else if (typeof value === 'string' && value.includes('\n') && isBlock(value)) {
    lines.push({ text: `${before}|${value.endsWith('\n') ? '' : '-'}`, path })
    for (const line of value.replace(/\n$/, '').split('\n'))
      lines.push({ text: line === '' ? '' : `${pad}${line}`, path })
  } else lines.push({ text: `${before}${scalar(value)}`, path })
}

/** Whether a text can stand as it is, line by line. */
function isBlock(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !/^[\s]|[\t\r\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\n\n$/.test(text)
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return value === undefined ? 'null' : JSON.stringify(value)
  const isPlain =
    /^[A-Za-z0-9_./$(][\w ./$()@+=,;:-]*$/.test(value) &&
    !/: |:$| $|^(?:true|false|null|yes|no|on|off|y|n|~)$/i.test(value) &&
    !/^[\d.+-]/.test(value) &&
    !value.startsWith('.')
  return isPlain ? value : JSON.stringify(value)
}
