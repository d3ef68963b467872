import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { groupProblem, kindProblem, nameProblem, suggestedKind, suggestedName } from './names.ts'

it.each([
  ['my-operator', 'Website'],
  ['operator', 'Website'],
  ['shop-page-operator', 'ShopPage'],
  ['my-shop', 'Shop'],
  ['promise-controller', 'Website'],
  ['2048', 'Website'],
])('%s suggests the kind %s', (name, kind) => {
  expect(suggestedKind(name)).toBe(kind)
})

it.each([
  ['My Shop!', 'my-shop'],
  ['homeostat', 'my-operator'],
  ['日本', 'my-operator'],
  ['a'.repeat(80), 'a'.repeat(56)],
])('a folder %s suggests the name %s', (folder, name) => {
  expect(suggestedName(folder)).toBe(name)
})

it('accepts the same names as Kubernetes, up to its limits', () => {
  expect([nameProblem('a'.repeat(56)), groupProblem('a.b-c.example'), kindProblem('A1b')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  for (const problem of [nameProblem('a'.repeat(57)), groupProblem('a..b'), kindProblem('A'.repeat(61))]) {
    expect(problem).toMatch(/: use /)
  }
})

it('refuses each kind that would clash with an import of a template', () => {
  const template = resolve(import.meta.dirname, '../../template')
  const texts = globSync('**/*.ts', { cwd: template }).map((file) =>
    readFileSync(resolve(template, file), 'utf8'),
  )
  const imported = texts
    .flatMap((text) => [...text.matchAll(/^import \{([^}]*)\}/gm)])
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => /^[A-Z]/.test(name) && name !== 'MyKind')
  expect(imported.length).toBeGreaterThan(4)
  expect(imported.filter((name) => kindProblem(name) === undefined)).toEqual([])
})
