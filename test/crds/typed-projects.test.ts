import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { moduleFolder } from './module-folder.ts'
import { PROJECTS } from './projects.ts'
import { recordedFile, TYPED_PROJECTS, typedManifests } from './typed-manifests.ts'
import { typeProject, type TypedManifests } from './typed-project.ts'

const isWhole = process.env['HOMEOSTAT_CRD_TYPES'] === '1'

/** `homeostat types` on definitions of other projects. `npm test crd-types` takes all of theirs, `npm test` a recorded selection. */
describe.each(TYPED_PROJECTS)(
  'the kinds that homeostat types makes of %s',
  { timeout: 900_000 },
  (project) => {
    it('compile with the samples of the project, and give the same definitions', async () => {
      const { kinds, versions, samples, refusedSamples, ...problems } = await typeProject(
        await manifestsOf(project),
      )
      if (isWhole)
        process.stdout.write(
          `${project}: ${kinds} kinds in ${versions} versions, ${samples} samples; ${refusedSamples} that a server refuses are left out\n`,
        )
      expect(problems).toEqual({ lost: [], compilerMessages: [], changedDefinitions: [] })
      expect(samples).toBeGreaterThan(0)
    })
  },
)

async function manifestsOf(project: string): Promise<TypedManifests> {
  if (!isWhole) return JSON.parse(readFileSync(recordedFile(project), 'utf8')) as TypedManifests
  const { module } = PROJECTS.find(({ name }) => name === project)!
  return typedManifests(await moduleFolder(module))
}
