/** Writes the CRDs of the examples from their kinds: `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { At } from '@homeostat/example-at'
import { MarkdownView } from '@homeostat/example-markdownview'
import { customResourceDefinition, type AnyKind } from 'homeostat'
import { stringify } from 'yaml'

const manifests: Record<string, AnyKind> = { at: At, markdownview: MarkdownView }

for (const [example, kind] of Object.entries(manifests)) {
  const file = resolve(import.meta.dirname, '../examples', example, 'manifests/crd.yaml')
  writeFileSync(file, manifestOf(kind))
  console.log(`wrote ${file}`)
}

/** The definition as the file holds it. */
function manifestOf(kind: AnyKind): string {
  return `# Made from the kind by \`npm run generate\`.\n${stringify(customResourceDefinition(kind))}`
}
