import { applyJsonPatch, type JsonPatchOperation } from '@homeostat/api'
import type { Answer, Asked } from './corpus.ts'

/**
 * An answer in a form in which both programs must agree. A patch becomes the object that it makes. Of messages that quote the types
 * of Go, or a parser's own words, the part before them counts.
 */
export function normalized({ body: asked }: Asked, { status, body }: Answer): unknown {
  if (body === '') return { status }
  const answer = JSON.parse(body)
  const { response } = answer
  if (response?.patch !== undefined) {
    const operations = JSON.parse(atob(response.patch)) as JsonPatchOperation[]
    response.patched = applyJsonPatch(JSON.parse(asked).request.object, operations)
    delete response.patch
  }
  for (const part of [response?.status, response?.result, answer.status]) {
    for (const field of ['message', 'error'] as const) {
      if (typeof part?.[field] === 'string') part[field] = plain(part[field])
    }
  }
  return { status, answer }
}

function plain(message: string): string {
  return message
    .replace(/ in scheme "[^"]*"$/, '')
    .replace(/(json parse error: ).*$/s, '$1…')
    .replace(/^json: cannot unmarshal .*$|^request(\.\w+)? must be .*$/, 'a field has another type')
    .replace(/(between same type ).*$/, '$1…')
    .replace(/(Object 'Kind' is missing in ).*$/, '$1…')
}
