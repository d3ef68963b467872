import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exceptions } from './exceptions.ts'
import { CelError } from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const [first = '', second = ''] = Array.from(readme.matchAll(/```ts\n([^]*?)```/g), ([, code]) => code!)
const source = JSON.stringify(new URL('../src/index.ts', import.meta.url).pathname)

/** Runs an example as a module. Returns the results or errors of the lines that end with a comment. */
async function run(code: string): Promise<unknown[]> {
  const lines = code
    .replaceAll("'@homeostat/cel'", source)
    .replace(/^(\w[\w.]*\(.*\)(?:\.\w+)?) \/\/.*$/gm, 'results.push(attempt(() => $1))')
  const attempt = 'const attempt = (call) => { try { return call() } catch (error) { return error } }'
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-readme-'))
  try {
    const file = join(folder, 'example.js')
    writeFileSync(file, `export const results = []\n${attempt}\n${lines}`)
    const { results } = (await import(file)) as { results: unknown[] }
    return results
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the first example gives what its comments say', async () => {
  const [cost, evaluation] = await run(first)
  expect(first).toContain(`// ${String(cost)}: the most`)
  expect(evaluation).toEqual({ value: true, cost: expect.any(Number) })
  expect(first).toContain(`// { value: true, cost: ${(evaluation as { cost: number }).cost} }`)
})

test('the second example gives what its comments say', async () => {
  const [value, error] = await run(second)
  expect(value).toBe(true)
  expect(error).toBeInstanceOf(CelError)
  const { code, message } = error as CelError
  expect(code).toBe('CEL_COMPILE')
  const shown = message.split('\n').map((line) => `// ${line}`)
  expect(second).toContain(shown.join('\n'))
})

test('the figures of conformance are those of the recorded cases', () => {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8'))
  const cases = (read('cel-spec.json') as unknown[]).length
  const open = exceptions.flatMap(({ failing }) => Object.values(failing)).reduce((sum, count) => sum + count)
  const text = (count: number): string => count.toLocaleString('en')
  expect(readme).toContain(
    `${text(cases)} cases of the CEL specification | ${text(cases - open)} met; ${text(open)} not met`,
  )
  const expressions = (read('kubernetes-cel.json') as { cases: unknown[] }).cases.length
  expect(readme).toContain(`${expressions} expressions`)
})
