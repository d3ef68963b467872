/** A field of a message as a `.proto` file writes it. */
export interface ProtoField {
  readonly name: string
  readonly number: number
  readonly label: 'one' | 'list' | 'map'
  /** `string`, or the full name of a message; of a map that of its values. */
  readonly type: string
}

/** The messages of a `.proto` file by their short names. */
export interface ProtoFile {
  readonly package: string
  readonly messages: ReadonlyMap<string, readonly ProtoField[]>
}

const FIELD = /^\s*(optional|required|repeated|map<string,\s*([\w.]+)>)\s+(?:([\w.]+)\s+)?(\w+)\s*=\s*(\d+);/
const SCALARS = new Set(['string', 'bytes', 'bool', 'int32', 'int64', 'double'])

/** Reads a `.proto` file of the kind that Kubernetes generates: messages with fields, none of them nested. */
export function parseProto(text: string): ProtoFile {
  const name = /^package ([\w.]+);/m.exec(text)?.[1]
  if (!name) throw new Error('a .proto file names no package')
  const messages = new Map<string, ProtoField[]>()
  let fields: ProtoField[] | undefined
  for (const line of text.split('\n')) {
    if (/^\s*\/\//.test(line)) continue
    const opened = /^message (\w+) \{/.exec(line)?.[1]
    if (opened) messages.set(opened, (fields = []))
    const [, label, value, type, field, number] = FIELD.exec(line) ?? []
    if (label === undefined) {
      if (/=\s*\d+;/.test(line)) throw new Error(`cannot read ${JSON.stringify(line)} of package ${name}`)
      continue
    }
    fields!.push({
      name: field!,
      number: Number(number),
      label: value === undefined ? (label === 'repeated' ? 'list' : 'one') : 'map',
      type: fullName((value ?? type)!, name),
    })
  }
  return { package: name, messages }
}

function fullName(type: string, inPackage: string): string {
  if (SCALARS.has(type)) return type
  if (type.startsWith('.')) return type.slice(1)
  return type.includes('.') ? type : `${inPackage}.${type}`
}
