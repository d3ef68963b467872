import { goNames } from './generated/go-names.ts'

/** Go's names of fields, for those whose schema does not say. */
export interface GoName {
  /** The named type of the field, such as `v1.PullPolicy`; empty where the schema tells it. */
  readonly type: string
  /** The path in Kubernetes' messages, which has the names of inlined structs: `IngressRuleValue.http`. */
  readonly path: string
}

let lines: ReadonlyMap<string, string> | undefined
const known = new Map<string, ReadonlyMap<string, GoName>>()

/** Go's name for a field of a definition. Only messages need these names, so they are read for the first message. */
export function goNameOf(definition: string, field: string): GoName {
  let fields = known.get(definition)
  if (!fields) known.set(definition, (fields = read(definition)))
  return fields.get(field) ?? { type: '', path: field }
}

function read(definition: string): ReadonlyMap<string, GoName> {
  lines ??= new Map(
    goNames
      .trim()
      .split('\n')
      .map((line) => {
        const [name = '', fields = ''] = line.split(': ')
        return [name, fields] as const
      }),
  )
  const fields = new Map<string, GoName>()
  for (const entry of lines.get(definition)?.split(', ') ?? []) {
    const [field = '', type = '', struct = ''] = entry.split(' ')
    fields.set(field, { type, path: struct === '' ? field : `${struct}.${field}` })
  }
  return fields
}

/** The type of the items or values of a Go list or map type; empty where it does not tell. */
export function elementType(type: string): string {
  return /^(?:\[\]|map\[[^\]]*\])(.*)$/.exec(type)?.[1] ?? ''
}
