import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

const root = resolve(import.meta.dirname, '../..')
/** Inside the workspace, so that the packages are found; ignored by git. */
const folder = join(root, '.homeostat', 'guide-tsconfig')
const FILES = ['greeting.ts', 'greeting-controller.ts', 'operator.ts', 'main.ts', 'testing.test.ts']

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The compiler's errors for the guide's operator, with one more file in its folder. */
async function compile(extra: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const file of FILES) copyFileSync(join(GUIDE_FOLDER, 'code', file), join(folder, file))
  writeFileSync(join(folder, 'extra.ts'), extra)
  const shown = relative(folder, join(GUIDE_FOLDER, 'code/operator.tsconfig.json'))
  // The packages are taken from their sources, since they are not built here.
  const compilerOptions = { customConditions: ['source'], skipLibCheck: true }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: shown, compilerOptions, include: ['*.ts'] }),
  )
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = await promisify(execFile)(tsc, ['-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  // The sources are checked with the workspace's own settings; users meet declarations instead.
  const problems = stdout
    .split('\n')
    .filter((line) => line.includes('error') && !line.startsWith('packages/'))
  return problems.join('\n')
}

it('the tsconfig of the guide checks an operator and its test', { timeout: 120_000 }, async () => {
  expect(await compile('export {}\n')).toBe('')
  expect(await compile('export const text: string = 1\n')).toContain('extra.ts(1,14): error TS2322')
})
