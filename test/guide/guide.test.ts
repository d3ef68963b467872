import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GUIDE_FOLDER, guidePages, withCode } from '../../scripts/guide/pages.ts'
import { stepsOf } from '../../scripts/guide/steps.ts'

const read = (file: string): string => readFileSync(join(GUIDE_FOLDER, file), 'utf8')

describe.each(guidePages().map((page) => [relative(GUIDE_FOLDER, page), page]))('the page %s', (_, page) => {
  const text = readFileSync(page, 'utf8')
  const prose = text.replace(/^```.*?^```$/gms, '')

  it('shows the code as it is compiled and run', () => {
    expect(withCode(text, read), 'run "npm run guide"').toBe(text)
  })

  it('has no link that leads nowhere', () => {
    const links = [...prose.matchAll(/\]\((?<path>[^)#:]+)(?:#[^)]*)?\)/g)].map(
      ({ groups }) => groups?.['path'] ?? '',
    )
    const dead = links.filter((path) => !existsSync(join(dirname(page), path)))
    expect(dead).toEqual([])
  })
})

describe('code in pages', () => {
  it('is a whole file, or a region without its margin', () => {
    const source = 'before\n  // #region a\n  one\n    two\n  // #endregion\nafter\n'
    const page = 'x\n<!-- from f.ts#a -->\n```ts\nold\n```\ny\n<!-- from f.ts -->\n```ts\n```\n'
    expect(withCode(page, () => source)).toBe(
      `x\n<!-- from f.ts#a -->\n\`\`\`ts\none\n  two\n\`\`\`\ny\n<!-- from f.ts -->\n\`\`\`ts\n${source}\`\`\`\n`,
    )
  })

  it('must exist', () => {
    const page = '<!-- from f.ts#b -->\n```ts\n```'
    expect(() => withCode(page, () => 'nothing')).toThrow('f.ts has no region b')
  })

  it('is read back as the steps of a reader', () => {
    const page = '```sh\nnpm i\nnpm t\n```\n<!-- from d/f.ts -->\n```ts\ncode\n```\n```\nno step\n```\n'
    expect(stepsOf(page)).toEqual([
      { type: 'run', line: 'npm i' },
      { type: 'run', line: 'npm t' },
      { type: 'file', name: 'f.ts', text: 'code\n' },
    ])
  })
})
