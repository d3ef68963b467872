import { isObject, objectOf } from '../../schema/json.ts'
import type { KindRules } from '../kind-rules.ts'

/** `stringData` is for writing only: it becomes `data`. */
export const secretRules: KindRules = {
  fieldNames: ['type'],
  default(object) {
    const { stringData } = object
    delete object['stringData']
    if (!isObject(stringData) || Object.keys(stringData).length === 0) return
    const encoded = Object.entries(stringData).map(([key, text]) => [key, base64(String(text))])
    object['data'] = { ...objectOf(object['data']), ...Object.fromEntries(encoded) }
  },
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
