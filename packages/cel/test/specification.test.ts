import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Language } from '../src/index.ts'
import { exceptions } from './exceptions.ts'
import { caseProblem, type SpecCase } from './spec-case.ts'

const cases = JSON.parse(
  readFileSync(new URL('recorded/cel-spec.json', import.meta.url), 'utf8'),
) as readonly SpecCase[]

const sectionOf = ({ name }: SpecCase): string => name.split('/', 2).join('/')

test('the cases of the CEL specification are met, but for the exceptions', () => {
  const language = new Language()
  const failing: Record<string, number> = {}
  const problems: Record<string, string[]> = {}
  for (const one of cases) {
    const problem = caseProblem(language, one)
    if (problem === undefined) continue
    const section = sectionOf(one)
    failing[section] = (failing[section] ?? 0) + 1
    ;(problems[section] ??= []).push(`${one.name}: ${one.expr}: ${problem}`)
  }
  const allowed: Record<string, number> = Object.assign(
    {},
    ...exceptions.map((exception) => exception.failing),
  )
  const wrong = Object.keys({ ...failing, ...allowed }).filter(
    (section) => failing[section] !== allowed[section],
  )
  expect(wrong.flatMap((section) => [section, ...(problems[section] ?? ['all cases are met'])])).toEqual([])
})

test('most cases of the specification are tested', () => {
  expect(cases.length).toBeGreaterThan(2_300)
})
