import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { At } from '@homeostat/example-at'
import { MarkdownView } from '@homeostat/example-markdownview'
import { customResourceDefinition, type AnyKind } from 'homeostat'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

it.each<[string, AnyKind]>([
  ['at', At],
  ['markdownview', MarkdownView],
])('the CRD of examples/%s is the one of its kind: `npm run generate` makes it again', (example, kind) => {
  const file = resolve(import.meta.dirname, '../../examples', example, 'manifests/crd.yaml')
  expect(parse(readFileSync(file, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(customResourceDefinition(kind))),
  )
})
