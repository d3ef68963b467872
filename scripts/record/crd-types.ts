import { writeFileSync } from 'node:fs'
import { acceptedSamples } from '../../test/crds/accepted-samples.ts'
import { moduleFolder } from '../../test/crds/module-folder.ts'
import { PROJECTS } from '../../test/crds/projects.ts'
import { recordedFile, selected, typedManifests, TYPED_PROJECTS } from '../../test/crds/typed-manifests.ts'

/** Keeps a few definitions of other projects and samples of their kinds, for the tests of `homeostat types`. */
export async function recordCrdTypes(parts: readonly string[]): Promise<void> {
  for (const { name, module } of PROJECTS) {
    if (!TYPED_PROJECTS.includes(name)) continue
    if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
    const { definitions, samples } = typedManifests(await moduleFolder(module))
    const few = selected(name, { definitions, samples: await acceptedSamples(definitions, samples) })
    writeFileSync(recordedFile(name), `${JSON.stringify(few, null, 1)}\n`)
    console.log(`${name}: ${few.definitions.length} definitions, ${few.samples.length} samples`)
  }
}
