import { needsYaml } from '../../wire/index.ts'
import { isLarge } from '../../work/index.ts'

/** The longest YAML that is decoded in one turn of the event loop, in bytes. Decoding it takes 50 times as long as JSON. */
const LONG_YAML = 64 * 1024

/** Whether decoding a body may delay other requests noticeably. */
export function isLargeBody(body: Uint8Array | undefined, contentType: string | undefined): boolean {
  if (!body) return false
  if (isLarge(body.length)) return true
  if (body.length <= LONG_YAML) return false
  return needsYaml({ headers: contentType === undefined ? {} : { 'content-type': contentType }, body })
}
