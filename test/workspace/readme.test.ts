import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** Inside the workspace, so that the packages are found; ignored by git. */
const folder = join(root, '.homeostat', 'readme')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the controller of the README compiles', { timeout: 60_000 }, async () => {
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '')
  expect(blocks.length).toBeGreaterThan(0)
  mkdirSync(folder, { recursive: true })
  blocks.forEach((code, index) => writeFileSync(join(folder, `block-${index}.ts`), code))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }),
  )
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

/** Commands of npm itself, and a word after its name. */
const NOT_SCRIPTS = new Set(['create', 'dev', 'are', 'init', 'install', 'pkg'])

it('the commands of the README exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name]) => name ?? '')
  for (const name of named.filter((each) => !NOT_SCRIPTS.has(each)))
    expect(scripts, name).toHaveProperty([name])
})

it.each(['zh-Hant', 'zh-Hans', 'ja'])('the README in %s shows the same code', (language) => {
  const translated = readFileSync(join(root, `README.${language}.md`), 'utf8')
  const codeOf = (text: string): string | undefined => /```ts\n(.*?)```/s.exec(text)?.[1]
  expect(codeOf(translated)).toBe(codeOf(readme))
})

it.each(['', '.zh-Hant', '.zh-Hans', '.ja'])('README%s.md names every package', (language) => {
  const text = readFileSync(join(root, `README${language}.md`), 'utf8')
  const packages = readdirSync(join(root, 'packages')).map((folder) => `(packages/${folder})`)
  expect(packages.filter((link) => !text.includes(link))).toEqual([])
})

it.each(['', '.zh-Hant', '.zh-Hans', '.ja'])('no link of README%s.md is dead', (language) => {
  const text = readFileSync(join(root, `README${language}.md`), 'utf8')
  const paths = [...text.matchAll(/\]\((?<path>[^)#:]+)\)/g)].map(({ groups }) => groups?.['path'] ?? '')
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
