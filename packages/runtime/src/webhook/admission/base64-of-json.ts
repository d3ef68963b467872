import { stringifyJson } from '@homeostat/api'

/** The bytes that are converted at a time: a call takes a limited number of arguments. */
const CHUNK = 8_192

/** Texts of ASCII, in which each character has one byte. */
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
