import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const exclude = ['**/node_modules/**', '**/dist/**']
const specs = globSync('packages/*/src/**/SPEC.md', { cwd: root, exclude }).sort()
const tests = globSync('{packages,test}/**/*.test.ts', { cwd: root, exclude }).sort()

/** The rules of a page, in its order: `- **Q1** …` in a list, `| W1 | …` in a table. */
function rulesOf(spec: string): string[] {
  const text = readFileSync(join(root, spec), 'utf8')
  return Array.from(text.matchAll(/^(?:- \*\*|\| )([A-Z]+\d+)(?:\*\* | \| )/gm), ([, rule]) => rule!)
}

const rules = specs.flatMap((spec) => rulesOf(spec).map((rule) => ({ spec, rule })))
const prefixes = [...new Set(rules.map(({ rule }) => rule.replace(/\d+$/, '')))].join('|')

/** Texts of tests that begin with the numbers of rules: 'Q2, Q3 a key …'. */
const CITATION = new RegExp(`['"\`]((?:(?:${prefixes})\\d+\\b[,:]? ?)+)`, 'g')

const citations = tests.flatMap((file) =>
  Array.from(readFileSync(join(root, file), 'utf8').matchAll(CITATION), ([, cited]) => cited!)
    .flatMap((cited) => cited.match(/[A-Z]+\d+/g) ?? [])
    .map((rule) => ({ file, rule })),
)

it('no number is given to two rules', () => {
  const numbers = rules.map(({ rule }) => rule)
  expect(rules.length).toBeGreaterThan(90)
  expect(numbers.filter((rule, index) => numbers.indexOf(rule) !== index)).toEqual([])
})

it.each(specs)('a test cites each rule of %s', (spec) => {
  const cited = new Set(citations.map(({ rule }) => rule))
  expect(rulesOf(spec).filter((rule) => !cited.has(rule))).toEqual([])
})

it('tests cite rules that exist', () => {
  const known = new Set(rules.map(({ rule }) => rule))
  expect(citations.filter(({ rule }) => !known.has(rule))).toEqual([])
})
