import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LanguageServer } from './language-server.ts'

const file = join(import.meta.dirname, 'hover/program.ts')

/** Each `// ^ text` says what the editor shows for the place above the arrow: a line of the type or of the comment. */
const expected = readFileSync(file, 'utf8')
  .split('\n')
  .flatMap((line, index, lines) => {
    const arrow = /^\s*\/\/ *\^ (.*)$/.exec(line)
    if (!arrow) return []
    let above = index - 1
    while (/^\s*\/\/ *\^/.test(lines[above]!)) above--
    return [{ line: above, character: line.indexOf('^'), text: arrow[1]!, code: lines[above]!.trim() }]
  })

it('the editor shows types by their names, and facts with a link to the reference', async () => {
  await using server = await LanguageServer.start()
  server.open(file)
  const shown: string[] = []
  for (const { line, character, text, code } of expected) {
    const hover = await server.hover(file, line, character)
    const lines = hover.split('\n').map((one) => one.trim())
    expect(hover, code).not.toContain('undefined | undefined')
    shown.push(lines.includes(text) ? text : `${code}: ${hover}`)
  }
  expect(shown).toEqual(expected.map(({ text }) => text))
  expect(expected.length).toBeGreaterThan(15)
})
