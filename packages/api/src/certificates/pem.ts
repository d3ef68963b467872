import type { Der } from './der.ts'

/** A value in DER as text. */
export function pem(label: string, der: Der): string {
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** The value of a text in PEM. Throws where it holds something other than Base64. */
export function unpem(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll(/-----[^-]*-----|\s/g, '')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
