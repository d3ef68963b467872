import { expect, it } from 'vitest'
import { linesBehind } from './wrap.ts'

const write = (): void => undefined
const terminal = { cwd: '.', env: {}, isTerminal: true, columns: 30, out: write, err: write }

it('breaks lines in a terminal between words, behind their indentation and the mark of a list', () => {
  const words = 'one two three four five six seven'
  const text = `   ${words}\n    1. ${words}\n  - ${words}\nend`
  expect(linesBehind(0, text, terminal)).toEqual([
    '   one two three four five six',
    '   seven',
    '    1. one two three four five',
    '       six seven',
    '  - one two three four five',
    '    six seven',
    'end',
  ])
})

it('leaves lines whole where there is no terminal', () => {
  const line = 'one two three four five six seven'
  expect(linesBehind(0, line, { ...terminal, isTerminal: false })).toEqual([line])
})
