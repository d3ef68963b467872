import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/**
 * Folders whose dictionaries are keyed by single letters and by the tokens of a grammar: no name that a client chooses
 * reaches them.
 */
const TOKENS = /packages\/(?:cel|shell)\/src\//

/** An object literal that is declared with a type that has any text as a key. A copy of another object is not found. */
const DECLARED =
  /\b(?:const|let|readonly|static)\s+(#?\w+)\s*:\s*[^=;]*?(?:Record<string\b|\bJsonObject\b)[^=;]*=\s*\{(?!\s*\.\.\.)/g
/** `NAME[key]`, with the text in the brackets. */
const ACCESS = /(?<![\w.])((?:this\.)?#?\w+)!?\[((?:[^[\]]|\[[^\]]*\])*)\]/g
/** How many lines before an access a guard may stand. */
const GUARD_DISTANCE = 6

/**
 * The lines in which a plain object is read or written by a key that is not written there. Such a key may be `__proto__`,
 * `constructor` or `toString`, which every plain object seems to have.
 */
function openAccesses(source: string): string[] {
  const names = new Set([...source.matchAll(DECLARED)].map(([, name]) => name!))
  const lines = source.split('\n')
  return lines.flatMap((line, index) =>
    [...line.matchAll(ACCESS)]
      .filter(([, object = '', key = '']) => {
        const name = object.replace('this.', '')
        if (/^\s*(?:['"`\d]|$)/.test(key)) return false
        if (!names.has(name) && !key.includes(' as keyof typeof ')) return false
        const before = lines.slice(Math.max(0, index - GUARD_DISTANCE), index + 1).join('\n')
        return !before.includes(`Object.hasOwn(${object}`)
      })
      .map(() => line.trim()),
  )
}

const TABLE = 'const TABLE: Readonly<Record<string, number>> = { a: 1 }\n'

it.each([
  `${TABLE}return TABLE[name]`,
  `${TABLE}return TABLE[name] ?? 0`,
  'const found: Record<string, string> = {}\nfor (const name of names) found[name] = name',
  'const found: JsonObject = {}\nfound[`x`.length > 0 ? key : other] = 1\nfound[key.slice(1)] = 2',
  'const VERBS = { a: 1 } as const\nreturn VERBS[(name as string) as keyof typeof VERBS]',
])('an access by any key is found: %j', (source) => {
  expect(openAccesses(source).length).toBeGreaterThan(0)
})

it.each([
  `${TABLE}return TABLE['a']`,
  `${TABLE}return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined`,
  'const table = new Map([["a", 1]])\nreturn table.get(name)',
  'const list: readonly string[] = []\nreturn list[index]',
  'const copy: JsonObject = { ...object }\ncopy[field] = 1',
])('what is safe is not: %j', (source) => {
  expect(openAccesses(source)).toEqual([])
})

/** Keys that the types of the program decide, not a request. */
const DECIDED = new Set(['packages/runtime/src/rules/rules.ts'])

it('no plain object is a dictionary: a Map is, or Object.hasOwn is asked first', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob('packages/*/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|\/generated\//.test(file) || TOKENS.test(file) || DECIDED.has(file)) continue
    files++
    for (const line of openAccesses(readFileSync(resolve(root, file), 'utf8'))) found.push(`${file}: ${line}`)
  }
  expect(files).toBeGreaterThan(800)
  expect(found).toEqual([])
})
