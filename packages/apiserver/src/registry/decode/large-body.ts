import { isLarge } from '../../work/index.ts'

/** Whether decoding a body may delay other requests noticeably. */
export function isLargeBody(body: Uint8Array | undefined): boolean {
  return isLarge(body?.length)
}
