/** Writes the CRDs of the examples from their kinds, and their roles from their controllers: `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { stringify } from 'yaml'
import { manifests } from './manifests.ts'

/** Programs that read YAML 1.1 must not take a text for a time or a number. */
const YAML = { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 } as const

for (const [example, files] of Object.entries(manifests)) {
  for (const [name, { from, documents }] of Object.entries(files)) {
    const file = resolve(import.meta.dirname, '../examples', example, 'manifests', name)
    const text = documents.map((document) => stringify(document, YAML))
    writeFileSync(file, `# Made from the ${from} by \`npm run generate\`.\n${text.join('---\n')}`)
    console.log(`wrote ${file}`)
  }
}
