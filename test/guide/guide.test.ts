import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildFolder } from '../../scripts/guide/build-folder.ts'
import { GUIDE_FOLDER, guidePages, withCode } from '../../scripts/guide/pages.ts'
import { stepsOf } from '../../scripts/guide/steps.ts'
import { outputPattern, transcriptOf } from '../../scripts/guide/transcript.ts'
import { makeOperatorFolder } from './operator-folder.ts'

const read = (file: string): string => readFileSync(join(GUIDE_FOLDER, file), 'utf8')

describe.each(guidePages().map((page) => [relative(GUIDE_FOLDER, page), page]))('the page %s', (_, page) => {
  const text = readFileSync(page, 'utf8')
  const prose = text.replace(/^```.*?^```$/gms, '')

  it('shows the code as it is compiled and run', () => {
    expect(withCode(text, read), 'run "npm run guide"').toBe(text)
  })

  it('has no block without content', () => {
    expect(text).not.toMatch(/^```[a-z]+\n```$/m)
  })

  it('asks for the Node that the packages need', () => {
    const { engines } = JSON.parse(
      readFileSync(join(GUIDE_FOLDER, '../../packages/runtime/package.json'), 'utf8'),
    )
    const versions = [...prose.matchAll(/Node (\d+\.\d+)/g)].map(([, version]) => `>=${version}`)
    expect(new Set([...versions, engines.node])).toEqual(new Set([engines.node]))
  })

  it('has no dead link', () => {
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

describe('commands in pages', () => {
  it('stand with their output', () => {
    const page = '```console\n$ a | b\none\ntwo\n$ c\n```\n```sh\nd\n```\n```console\n$ e\nthree\n```\n'
    expect(transcriptOf(page)).toEqual([
      { command: 'a | b', output: 'one\ntwo\n' },
      { command: 'c', output: '' },
      { command: 'e', output: 'three\n' },
    ])
  })

  it.each([
    ['NAME  AGE\na.b   3s\n', 'NAME      AGE\na.b       12s', true],
    ['NAME  AGE\na.b   3s\n', 'NAME  AGE\naxb   3s', false],
    ['a 3s (x2 over 3s) b\n', 'a 1m2s (x2 over 3m) b', true],
    ['a 3s (x2 over 3s) b\n', 'a 3s (x3 over 3s) b', false],
    ['one\n…\nlast\n', 'one\ntwo\nthree\nlast', true],
    ['…\nlast\n', 'last', true],
    ['one\n', 'one\ntwo', false],
    ['yes\n', 'no', false],
  ])('%j is shown for %j: %s', (shown, printed, same) => {
    expect(outputPattern(shown).test(printed)).toBe(same)
  })
})

describe('a Dockerfile', () => {
  it('is done in a folder, and names what it copies', () => {
    using made = makeOperatorFolder()
    expect(readdirSync(made.image.folder).toSorted()).toEqual([
      'greeting-controller.ts',
      'greeting.ts',
      'main.ts',
      'manifests.ts',
      'node_modules',
      'operator.ts',
      'package-lock.json',
      'package.json',
    ])
    expect(made.image.entry.at(-1)).toBe(join(made.image.folder, 'main.ts'))
    const build = (dockerfile: string) =>
      buildFolder(dockerfile, { context: made.folder, folder: made.image.folder, run: () => {} })
    expect(() => build('COPY nothing.ts ./\nCMD ["node"]')).toThrow('there is no nothing.ts to copy')
    expect(() => build('ADD main.ts ./')).toThrow('no such instruction here: ADD main.ts ./')
    expect(() => build('FROM node')).toThrow('the Dockerfile has no CMD')
  })
})
