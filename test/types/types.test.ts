import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { isMessage, readTypeCases, withExpectations, type Diagnostic, type TypeCase } from './type-case.ts'

/**
 * The texts that a person sees in the editor. To record new messages, run `npm run record types` and read what changed
 * in `cases/`: a message must name the mistake and stand at its place.
 */
const folder = join(import.meta.dirname, 'cases')
const cases = readTypeCases(folder)
const diagnostics = compile(import.meta.dirname)
const files = [...new Set(cases.map(({ file }) => file))]

/** The longest message in lines: more is a stack of types that only an author of the library can read. */
const MOST_LINES = 7
/** The longest line of a message that a person still reads. */
const MOST_CHARACTERS = 400

if (process.env['HOMEOSTAT_RECORD']) {
  for (const file of files) {
    const path = join(folder, file)
    const found = diagnostics.filter((one) => one.file === file)
    writeFileSync(path, withExpectations(readFileSync(path, 'utf8'), found))
  }
}

describe.each(files)('types in cases/%s', (file) => {
  const ofFile = cases.filter((one) => one.file === file)

  it.each(ofFile.filter(({ isRight }) => isRight))('accept $title', (one) => {
    expect(saidAbout(one)).toEqual([])
    expect(one.expected).toEqual([])
  })

  it.each(ofFile.filter(({ isRight }) => !isRight))('refuse $title', (one) => {
    expect(one.expected, 'a wrong use needs an @expect').not.toEqual([])
    const said = saidAbout(one)
    expect(said.map(withoutFile)).toEqual(
      one.expected.map(({ line, message }, index) => {
        const actual = said[index]
        return { line, message: actual && isMessage(message, actual.message) ? actual.message : message }
      }),
    )
    for (const { message } of said) {
      expect(message.length).toBeLessThanOrEqual(MOST_LINES)
      expect(Math.max(...message.map((line) => line.length))).toBeLessThanOrEqual(MOST_CHARACTERS)
    }
  })
})

it('are compiled without any other message', () => {
  const others = diagnostics.filter((one) => !cases.some((each) => isAbout(each, one)))
  expect(others).toEqual([])
})

it('are held by at least 60 right and wrong uses', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
  expect(cases.filter(({ isRight }) => !isRight).length).toBeGreaterThanOrEqual(30)
})

function isAbout({ file, first, last }: TypeCase, diagnostic: Diagnostic): boolean {
  return diagnostic.file === file && first <= diagnostic.line && diagnostic.line <= last
}

function saidAbout(one: TypeCase): Diagnostic[] {
  return diagnostics.filter((diagnostic) => isAbout(one, diagnostic))
}

function withoutFile({ line, message }: Diagnostic): Omit<Diagnostic, 'file'> {
  return { line, message }
}
