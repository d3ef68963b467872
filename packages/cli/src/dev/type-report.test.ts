import { expect, it } from 'vitest'
import { TypeReport } from './type-report.ts'

function reports(...lines: string[]): string[] {
  const said: string[] = []
  const report = new TypeReport((line) => said.push(line))
  for (const line of lines) report.addLine(line)
  report.end()
  return said
}

const error = (line: number): string => `kind.ts(${line},1): error TS2322: Type 'string' is not 'number'.`
const found = (count: number): string =>
  `10:00:00 AM - Found ${count} error${count === 1 ? '' : 's'}. Watching for file changes.`

it('prints errors with the lines that explain them, and reports when there are none', () => {
  expect(
    reports('10:00:00 AM - Starting compilation in watch mode...', '', error(1), '  Why.', found(1)),
  ).toEqual([error(1), '  Why.'])
  expect(reports(error(1), found(1), found(0))).toEqual([error(1), 'no errors'])
  expect(reports(found(0))).toEqual(['no errors'])
})

it('says only once that there are no errors', () => {
  expect(reports(found(0), found(0), error(1), found(1), found(0), found(0))).toEqual([
    'no errors',
    error(1),
    'no errors',
  ])
})

it('does not print the same errors twice', () => {
  const two = [error(1), error(2), found(2)]
  expect(reports(...two, ...two, error(3), found(1), error(3), found(1))).toEqual([
    error(1),
    error(2),
    'the same 2 errors',
    error(3),
    'the same error',
  ])
  expect(reports(error(1), found(1), found(0), error(1), found(1))).toEqual([error(1), 'no errors', error(1)])
})

it('shows the first of many errors', () => {
  const many = Array.from({ length: 20 }, (_, index) => error(index)).flatMap((each) => [each, '  Why.'])
  expect(reports(...many, found(20))).toEqual([
    ...many.slice(0, 12),
    'and 14 more: npx tsc --noEmit prints all',
  ])
})

it('shows why a compiler ended', () => {
  expect(reports('error TS5083: Cannot read file.')).toEqual(['error TS5083: Cannot read file.'])
})
