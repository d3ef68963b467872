import { stringifyJson } from '@homeostat/api'

/** So many bytes become characters at a time: a call takes only so many arguments. */
const CHUNK = 8_192

/** A value as JSON, in base64. */
export function base64OfJson(value: unknown): string {
  const bytes = new TextEncoder().encode(stringifyJson(value))
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  return btoa(text)
}
