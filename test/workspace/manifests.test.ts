import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { manifests } from '../../scripts/manifests.ts'

const files = Object.entries(manifests).flatMap(([example, each]) =>
  Object.entries(each).map(([name, { documents }]) => [example, name, documents] as const),
)

it.each(files)('examples/%s/manifests/%s is what `npm run generate` makes', (example, name, documents) => {
  const file = resolve(import.meta.dirname, '../../examples', example, 'manifests', name)
  const written = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as unknown)
  expect(written).toEqual(JSON.parse(JSON.stringify(documents)))
})
