import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const source = join(root, 'packages/apiserver/src')

/** The lines from a heading to the next one. */
function section(heading: string): string {
  const start = text.indexOf(heading)
  const end = text.indexOf('\n#', start + heading.length)
  return start < 0 ? '' : text.slice(start, end < 0 ? undefined : end)
}

it('the walk of an apply names files and folders that exist', () => {
  const named = [...section('### `kubectl apply`').matchAll(/`([a-z][a-z/-]*(?:\.ts|\/))`/g)].map(
    ([, path]) => path ?? '',
  )
  expect(named.filter((path) => path.endsWith('.ts')).length).toBeGreaterThan(8)
  // A file may be named within the folder that the step has entered.
  const places = ['', 'http', 'registry']
  expect(named.filter((path) => !places.some((place) => existsSync(join(source, place, path))))).toEqual([])
})

it.each(readdirSync(join(root, 'packages')))('the page has a row for each folder of packages/%s', (name) => {
  const rows = section(`## packages/${name}:`)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z-]+)\/`/g)].map(([, folder]) => folder),
  )
  const folders = readdirSync(join(root, 'packages', name, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  expect(new Set(named)).toEqual(new Set(folders))
})
