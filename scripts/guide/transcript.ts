/** A command that a page shows, and what it prints. */
export interface ShownCommand {
  readonly command: string
  readonly output: string
}

const CONSOLE = /^```console\n(?<text>[\s\S]*?)^```$/gm

/** The commands of a page's `console` blocks, in order: each after `$ `, with its output below it. */
export function transcriptOf(page: string): ShownCommand[] {
  return [...page.matchAll(CONSOLE)].flatMap(({ groups: { text = '' } = {} }) =>
    text
      .split(/^\$ /m)
      .filter(Boolean)
      .map((shown) => {
        const end = shown.indexOf('\n')
        return { command: shown.slice(0, end), output: shown.slice(end + 1) }
      }),
  )
}

/**
 * The output as a pattern: the width of columns is free, and so are ages such as `3s`. A line of `…` stands for any lines, or
 * none.
 */
export function outputPattern(output: string): RegExp {
  const lines = output.trimEnd().split('\n')
  return new RegExp(`^${lines.map(linePattern).join('')}$`)
}

function linePattern(line: string): string {
  if (line.trim() === '…') return String.raw`(?:.*\n)*?`
  return String.raw`${line.trimEnd().split(/ +/).map(wordPattern).join(' +')}(?:\n|$)`
}

function wordPattern(word: string): string {
  if (/^-+$/.test(word)) return '-+'
  const literal = word.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  return literal.replace(/^\d+s(?=$|\\\)$)/, String.raw`\d+[smh](?:\d+s)?`)
}
