import type { CommandIo } from './command.ts'

/** Breaks a line between words, so that no part is wider than the width unless one word is. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/**
 * The lines of a text that begins behind a label of the given width: those of a terminal are broken between words and keep their
 * indentation, behind the number or the dash of a list. Elsewhere a line stays whole, for programs that search in it.
 */
export function linesBehind(label: number, text: string, { isTerminal, columns }: CommandIo): string[] {
  const lines = text.split('\n')
  if (!isTerminal || columns === undefined) return lines
  return lines.flatMap((line) => {
    const [indent] = /^ *(?:(?:\d+\.|[-+]) )?/.exec(line) ?? ['']
    const width = Math.max(20, columns - label - indent.length)
    const behind = ' '.repeat(indent.length)
    return wrap(line.slice(indent.length), width).map((part, index) => (index === 0 ? indent : behind) + part)
  })
}
