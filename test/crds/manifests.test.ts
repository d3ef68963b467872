import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readManifests } from './manifests.ts'

const definition = (group: string, note: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: boats.${group}
  annotations: { note: "${note}" }
spec:
  group: ${group}
  names: { plural: boats, kind: Boat }
  versions: []
`
const boat = (name: string): string =>
  `apiVersion: sea.example.com/v1\nkind: Boat\nmetadata: { name: ${name} }\n`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-manifests-'))
  const files = {
    'config/crd.yaml': `# a comment\n---\n${definition('sea.example.com', 'right')}---\n${definition('lake.example.com', '')}`,
    'test/crd.yaml': definition('sea.example.com', 'a longer one, of a test'),
    'samples/two.yaml': `${boat('a')}---\n${boat('b')}`,
    'samples/again.yaml': boat('a'),
    'samples/list.yaml': `apiVersion: v1\nkind: List\nitems:\n- apiVersion: sea.example.com/v1\n  kind: Boat\n`,
    'chart/boat.yaml': `apiVersion: sea.example.com/v1\nkind: Boat\n{{- if .Values.on }}\nspec: {}\n{{- end }}\n`,
    'broken.yaml': `apiVersion: sea.example.com/v1\nkind: Boat\nspec: [\n`,
    'other.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n`,
    'docs/page.md': `Text\n\n  \`\`\`yaml\n  apiVersion: sea.example.com/v1\n  kind: Boat\n  metadata: { name: m }\n  \`\`\`\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test('definitions are taken once, those outside tests first', () => {
  const { definitions } = readManifests(folder)
  expect(definitions.map(({ object }) => object.metadata)).toEqual([
    { name: 'boats.lake.example.com', annotations: { note: '' } },
    { name: 'boats.sea.example.com', annotations: { note: 'right' } },
  ])
})

test('samples come from files, lists and pages, each text once, and what is left out is counted', () => {
  const { samples, skipped } = readManifests(folder)
  expect(samples.map(({ place, object }) => [place, object.metadata?.['name']])).toEqual([
    ['docs/page.md#0', 'm'],
    ['samples/again.yaml#0', 'a'],
    ['samples/list.yaml#0', undefined],
    ['samples/two.yaml#1', 'b'],
  ])
  expect(Object.fromEntries(skipped)).toEqual({ 'a template': 1, 'not plain YAML': 1 })
})
