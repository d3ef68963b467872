import { expect, it } from 'vitest'
import { drawTerminal } from '../../scripts/picture/draw-terminal.ts'

it('a picture of a terminal has its lines, its colours and nothing that is markup', () => {
  const picture = drawTerminal('$ ls <a>\n\u001b[1mbold\u001b[0m & \u001b[32mgreen\u001b[0m')
  expect(picture).toContain('>$\u00a0ls\u00a0&lt;a&gt;</text>')
  expect(picture).toContain(
    '<tspan font-weight="bold" fill="#ffffff">bold</tspan>\u00a0&amp;\u00a0<tspan fill="#7ee787">green</tspan></text>',
  )
  expect(picture).not.toContain('\u001b')
})
