import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleFolder } from './kubernetes-source.ts'

/** The values that a field may have, with the description that names them. */
export interface FieldEnum {
  readonly description: string
  readonly values: readonly string[]
  /** Whether the items of a list or map are meant rather than the field itself. */
  readonly ofContent: boolean
}

/**
 * The enumerations that a server adds to its OpenAPI documents, and that those of the repository leave out: by the end of
 * a definition's name (`core_v1_Toleration`) and the field.
 */
export function goEnums(version: string): ReadonlyMap<string, ReadonlyMap<string, FieldEnum>> {
  const folder = moduleFolder('k8s.io/kubernetes', version)
  const text = readFileSync(join(folder, 'pkg/generated/openapi/zz_generated.openapi.go'), 'utf8')
  const enums = new Map<string, Map<string, FieldEnum>>()
  let type = ''
  let field = ''
  let fieldDepth = 0
  let description = ''
  for (const line of text.split('\n')) {
    const depth = /^\t*/.exec(line)![0].length
    const start = /^func schema_(\w+)\(/.exec(line)
    if (start) type = start[1]!.split('_').slice(-3).join('_')
    const property = /^\t+"([^"]+)": \{$/.exec(line)
    if (property) [field, fieldDepth] = [property[1]!, depth]
    const words = /^\t+Description: +("(?:[^"\\]|\\.)*"),$/.exec(line)
    if (words) description = JSON.parse(words[1]!) as string
    const list = /^\t+Enum: +\[\]interface\{\}\{(.*)\},$/.exec(line)
    if (!list) continue
    const fields = enums.get(type) ?? new Map<string, FieldEnum>()
    enums.set(type, fields)
    fields.set(field, {
      description,
      values: JSON.parse(`[${list[1]!}]`) as string[],
      ofContent: depth > fieldDepth + 2,
    })
  }
  return enums
}
