import { HomeostatError } from '@homeostat/api'

/** `{ns}`, `{last.metadata.uid}`, `{made.metadata.resourceVersion+1}`. */
const PLACEHOLDER = /\{(ns|[a-z]\w*(?:\.[\w/-]+?)+)([+-]\d+)?\}/g

/** The text with its placeholders filled in from the answers that were kept. */
export function fillText(text: string, namespace: string, kept: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(PLACEHOLDER, (whole, path: string, offset: string | undefined) => {
    if (path === 'ns') return namespace
    const [name = '', ...fields] = path.split('.')
    let value = kept.get(name)
    for (const field of fields) value = (value as Record<string, unknown> | undefined)?.[field]
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new HomeostatError('PLACEHOLDER_EMPTY', `nothing that was answered stands for ${whole}`)
    }
    return offset ? String(Number(value) + Number(offset)) : String(value)
  })
}

/** The value with the placeholders in all its texts and names filled in. */
export function fill(value: unknown, namespace: string, kept: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') return fillText(value, namespace, kept)
  if (Array.isArray(value)) return value.map((item) => fill(item, namespace, kept))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      fillText(key, namespace, kept),
      fill(child, namespace, kept),
    ]),
  )
}
