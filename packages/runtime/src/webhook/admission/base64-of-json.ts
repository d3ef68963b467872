import { stringifyJson } from '@homeostat/api'

/** So many bytes become characters at a time: a call takes only so many arguments. */
const CHUNK = 8_192

/** What UTF-8 writes with a byte for each character. */
const ASCII = /^[\x20-\x7e]*$/

const encoder = new TextEncoder()

/** A value as JSON, in base64. */
export function base64OfJson(value: unknown): string {
  const json = stringifyJson(value)
  if (ASCII.test(json)) return btoa(json)
  const bytes = encoder.encode(json)
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK)
    text += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  return btoa(text)
}
