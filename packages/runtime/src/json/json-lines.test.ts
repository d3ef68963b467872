import { describe, expect, it } from 'vitest'
import { JsonLines } from './json-lines.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const texts = (lines: Uint8Array[]): string[] => lines.map((line) => new TextDecoder().decode(line))

describe('lines', () => {
  it('of one chunk come together', () => {
    expect(texts(new JsonLines().push(bytes('one\ntwo\n')))).toEqual(['one', 'two'])
  })

  it('are put together from any pieces, also within a character', () => {
    const text = 'eins 🌍\nzwei ü\n\ndrei\n'
    for (let size = 1; size < 12; size++) {
      const lines = new JsonLines()
      const all: string[] = []
      const whole = bytes(text)
      for (let start = 0; start < whole.length; start += size)
        all.push(...texts(lines.push(whole.slice(start, start + size))))
      expect(all).toEqual(['eins 🌍', 'zwei ü', 'drei'])
      expect(lines.rest()).toHaveLength(0)
    }
  })

  it('do not change when the memory of a chunk is used again', () => {
    const lines = new JsonLines()
    const chunk = bytes('half')
    lines.push(chunk)
    chunk.fill(0)
    expect(texts(lines.push(bytes(' and half\n')))).toEqual(['half and half'])
  })

  it('that have no end are the rest', () => {
    const lines = new JsonLines()
    expect(texts(lines.push(bytes('one\ntw')))).toEqual(['one'])
    expect(texts([lines.rest()])).toEqual(['tw'])
  })
})
