import { isObject, type JsonObject } from '../../schema/index.ts'

/** Refuses malformed UTF-8, so that two tokens with different bytes never name the same user. */
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Encodes bytes as base64url, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes base64url; undefined for other texts. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Decodes a part of a JSON web token: an object in base64url; undefined for other texts. */
export function objectFromBase64Url(text: string): JsonObject | undefined {
  const bytes = fromBase64Url(text)
  if (!bytes) return undefined
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
