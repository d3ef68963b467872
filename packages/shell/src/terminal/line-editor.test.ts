import { describe, expect, it } from 'vitest'
import { LineEditor } from './line-editor.ts'

function type(editor: LineEditor, keys: string): { echo: string; lines: string[] } {
  let echo = ''
  const lines: string[] = []
  for (const key of keys) {
    const result = editor.key(key)
    echo += result.echo
    if (result.event) lines.push(result.event.type === 'line' ? result.event.text : result.event.type)
  }
  return { echo, lines }
}

const UP = '\x1b[A'
const DOWN = '\x1b[B'
const RIGHT = '\x1b[C'
const LEFT = '\x1b[D'

function editing(): LineEditor {
  const editor = new LineEditor()
  editor.begin('/ # ')
  return editor
}

describe('a line that is typed', () => {
  it('is shown as it grows', () => {
    expect(type(editing(), 'echo é\r')).toEqual({ echo: 'echo é\n', lines: ['echo é\n'] })
  })

  it.each([
    ['abc\x7f\x7fx\r', 'ax\n'],
    ['abc def\x15x\r', 'x\n'],
    ['abc def\x17x\r', 'abc x\n'],
    [`ac${LEFT}b\r`, 'abc\n'],
    ['bc\x01a\x05d\r', 'abcd\n'],
    [`abc${LEFT}${LEFT}\x0b\r`, 'a\n'],
    [`abc${LEFT}${LEFT}\x1b[3~\r`, 'ac\n'],
    [`abx${LEFT}\x7f${RIGHT}\r`, 'ax\n'],
    ['\x7f\x7fok\r', 'ok\n'],
    ['a\x1b[15~b\x1bOPc\r', 'abc\n'],
    ['a\tb\x00c\r', 'a\tbc\n'],
  ])('reads %j as %j', (keys, line) => {
    expect(type(editing(), keys).lines).toEqual([line])
  })

  it('is recalled from the history', () => {
    const editor = editing()
    type(editor, 'one\rtwo\r\rtwo\r')
    expect(type(editor, `${UP}\r`).lines).toEqual(['two\n'])
    expect(type(editor, `${UP}${UP}\r`).lines).toEqual(['one\n'])
    expect(type(editor, `dra${UP}${DOWN}ft\r`).lines).toEqual(['draft\n'])
    expect(type(editor, `${UP}${UP}${UP}${UP}${UP}${UP}${UP}x\r`).lines).toEqual(['onex\n'])
  })

  it('ends at ^D when it is empty, and loses a character when it is not', () => {
    expect(type(editing(), '\x04').lines).toEqual(['end'])
    expect(type(editing(), 'ab\x01\x04\r').lines).toEqual(['b\n'])
  })

  it('is given up at ^C', () => {
    expect(type(editing(), 'abc\x03d\r')).toEqual({ echo: 'abc^C\nd\n', lines: ['interrupt', 'd\n'] })
  })

  it('has no history and no cursor keys where a program reads it', () => {
    const editor = new LineEditor()
    editor.begin(undefined)
    expect(type(editor, `secret\r${UP}${LEFT}x\x7fy\r`).lines).toEqual(['secret\n', 'y\n'])
    expect(type(editor, 'part\x04').lines).toEqual(['part'])
  })

  it('does not grow without end', () => {
    expect(type(editing(), `${'x'.repeat(20_000)}\r`).lines[0]?.length).toBe(16_385)
  })
})
