import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../docs/decisions')
const STATUS =
  /^(?:Accepted|Proposed|Superseded by \[\d{4}\]\(\S+\.md\)), \d{4}-\d\d-\d\d\.(?: Amend(?:s|ed by) \[\d{4}\]\(\S+\.md\)\.)*$/

const pages = readdirSync(FOLDER)
  .filter((file) => /^\d{4}-.*\.md$/.test(file))
  .sort()
  .map((file) => {
    const [title = '', , status = ''] = readFileSync(join(FOLDER, file), 'utf8').split('\n')
    return { file, number: file.slice(0, 4), title, status }
  })

it('every decision has its number and title in the first line, and its status and date below', () => {
  for (const { file, number, title, status } of pages) {
    expect(title, file).toMatch(new RegExp(`^# ${number}: [A-Z]`))
    expect(status, file).toMatch(STATUS)
  }
})

it('no number is given to two decisions', () => {
  const numbers = pages.map((page) => page.number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

it('the index lists every decision with its title, in order', () => {
  const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
  expect(index).toEqual(
    pages.map(({ file, number, title }) => `| [${number}](${file}) | ${title.slice('# 0000: '.length)} |`),
  )
})

it('where a decision amends or supersedes another, both pages link to each other', () => {
  const links = pages.flatMap(({ file, status }) =>
    [...status.matchAll(/(Amends|Amended by|Superseded by) \[(\d{4})\]\((\S+\.md)\)/g)].map(
      ([, verb, number, target]) => ({ file, verb, number, target }),
    ),
  )
  for (const { file, verb, number, target } of links) {
    const page = pages.find((one) => one.file === target)
    expect(page?.number, `${file} links to ${target}`).toBe(number)
    if (verb !== 'Superseded by')
      expect(page?.status, target).toContain(
        `${verb === 'Amends' ? 'Amended by' : 'Amends'} [${file.slice(0, 4)}](${file})`,
      )
  }
})
