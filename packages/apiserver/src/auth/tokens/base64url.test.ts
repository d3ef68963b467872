import { describe, expect, it } from 'vitest'
import { objectFromBase64Url, toBase64Url } from './base64url.ts'

const encoded = (...bytes: number[]): string => toBase64Url(Uint8Array.from(bytes))
const text = (value: string): string => toBase64Url(new TextEncoder().encode(value))

describe('a part of a JSON web token', () => {
  it('is an object', () => {
    expect(objectFromBase64Url(text('{"sub":"é"}'))).toEqual({ sub: 'é' })
    expect(objectFromBase64Url(text('["sub"]'))).toBeUndefined()
    expect(objectFromBase64Url(text('{'))).toBeUndefined()
    expect(objectFromBase64Url('*')).toBeUndefined()
  })

  it('with malformed UTF-8 is refused', () => {
    const quote = 0x22
    const malformed = encoded(0x7b, quote, 0x61, quote, 0x3a, quote, 0xff, quote, 0x7d) // {"a":"\xff"}
    expect(objectFromBase64Url(malformed)).toBeUndefined()
  })
})
