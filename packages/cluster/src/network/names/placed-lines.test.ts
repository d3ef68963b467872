import { describe, expect, it } from 'vitest'
import { placedLines } from './placed-lines.ts'

describe('lines of a text that is read while it is written', () => {
  it('come one after the other at first', () => {
    expect(placedLines('', ['a\n', 'bb\n'])).toBe('a\nbb\n')
    expect(placedLines('a\nbb\n', ['a\n', 'bb\n'])).toBe('a\nbb\n')
  })

  it('stay where they are when others go, and leave empty lines', () => {
    expect(placedLines('aaa\nbb\nc\n', ['c\n', 'aaa\n'])).toBe('aaa\n\n\n\nc\n')
    expect(placedLines('aaa\nbb\n', [])).toBe('\n'.repeat(7))
  })

  it('never take a place in the moment in which another leaves it', () => {
    const changed = placedLines('aaa\nc\n', ['bbb\n', 'c\n'])
    expect(changed).toBe('\n\n\n\nc\nbbb\n')
    expect(placedLines(changed, ['bbb\n', 'c\n', 'x\n', 'y\n'])).toBe('x\ny\nc\nbbb\n')
  })

  it('come into the first empty place that is large enough, or to the end', () => {
    const text = 'a\n\n\n\nb\n\n\n\n\n\nc\n'
    expect(placedLines(text, ['a\n', 'b\n', 'c\n', '1234\n', '12\n', '12345678\n'])).toBe(
      'a\n12\nb\n1234\nc\n12345678\n',
    )
  })

  it('are found by a reader that sees some of the text before the change and the rest after it', () => {
    let seed = 7
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
    let text = ''
    let lines: string[] = []
    for (let round = 0; round < 200; round++) {
      const stay = lines.filter(() => next(3) > 0)
      const come = Array.from(
        { length: next(4) },
        (_, index) => `${round}-${index} ${'x'.repeat(next(20))}\n`,
      )
      const after = placedLines(text, [...stay, ...come])
      expect(after.length).toBeGreaterThanOrEqual(text.length)
      const at = next(after.length + 1)
      for (const seen of [after.slice(0, at) + text.slice(at), text.slice(0, at) + after.slice(at)]) {
        const found = seen.split('\n').map((line) => `${line}\n`)
        expect(found).toEqual(expect.arrayContaining(stay))
        // A part of a line that comes or goes may be there, and never one of two lines.
        const known = [...lines, ...come]
        expect(found.filter((line) => line !== '\n' && !known.some((one) => partOf(one, line)))).toEqual([])
      }
      ;[text, lines] = [after, [...stay, ...come]]
    }
    expect(text.length).toBeLessThan(2_000)
  })
})

function partOf(whole: string, line: string): boolean {
  return whole.startsWith(line.trimEnd()) || whole.endsWith(line)
}
