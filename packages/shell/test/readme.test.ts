import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { applets } from '../src/applets/index.ts'

const folder = new URL('..', import.meta.url)
const readme = readFileSync(new URL('README.md', folder), 'utf8')

it('prints what the example of the README says', () => {
  const [, code = ''] = /```ts\n([^]*?)```/.exec(readme) ?? []
  const [, expected] = /console\.log\(.*\) \/\/ (.*)/.exec(code) ?? []
  const program = code.replace("'@homeostat/shell'", JSON.stringify(new URL('src/index.ts', folder).pathname))
  const args = ['--conditions=source', '--input-type=module-typescript', '--eval', program]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect(stdout.trim(), stderr).toBe(expected)
})

it('names every command in the README', () => {
  const [, names = ''] = /Besides its builtins it has: ([^.]*)\.\n/.exec(readme.replace(/`\.`/g, '')) ?? []
  expect(names.split(/,\s+/).map((name) => name.replaceAll('`', ''))).toEqual([...applets.keys()].sort())
})

it('counts the compared scripts in the README', () => {
  const file = new URL('test/recorded/busybox.json', folder)
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown[]>
  expect(readme).toContain(`Tests run ${Object.values(answers).flat().length} scripts in the shell`)
})
