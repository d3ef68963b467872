import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { packages } from '../../scripts/layers.ts'
import { packagesInOrder } from '../../scripts/package-order.ts'
import { publishArguments } from '../../scripts/release/publish-arguments.ts'
import { datedChangelog, withVersion } from '../../scripts/release/versions.ts'

describe('a release', () => {
  it('sets one version for a package and for what it depends on of ours', () => {
    const manifest = {
      name: 'homeostat',
      version: '0.1.0',
      dependencies: { '@homeostat/api': '0.1.0', yaml: '^2.9.1' },
    }
    expect(withVersion(manifest, '0.2.0', new Set(['homeostat', '@homeostat/api']))).toEqual({
      name: 'homeostat',
      version: '0.2.0',
      dependencies: { '@homeostat/api': '0.2.0', yaml: '^2.9.1' },
    })
  })

  it('leaves the version of an example, and sets what it depends on', () => {
    const manifest = { name: 'example', version: '0.0.0', dependencies: { homeostat: '0.1.0' } }
    expect(withVersion(manifest, '0.2.0', new Set(['homeostat']))).toEqual({
      name: 'example',
      version: '0.0.0',
      dependencies: { homeostat: '0.2.0' },
    })
  })

  it.each(['v1', '1.2', 'latest', '1.2.3 --force'])('refuses %s as a version', (version) => {
    expect(() => withVersion({ name: 'a', version: '0.1.0' }, version, new Set(['a']))).toThrow(
      `${version} is not a version such as 0.2.0`,
    )
  })

  it('dates what is unreleased, and refuses to release nothing', () => {
    const text = '# Changelog\n\n## Unreleased\n\n- New\n\n## 0.1.0 (2026-01-01)\n'
    const dated = datedChangelog(text, '0.2.0', '2026-02-01')
    expect(dated).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n- New\n\n## 0.1.0 (2026-01-01)\n',
    )
    expect(() => datedChangelog(dated, '0.3.0', '2026-03-01')).toThrow('nothing under "Unreleased"')
  })

  it('publishes each package after those that it imports', () => {
    const order = packagesInOrder()
    expect(order.toSorted()).toEqual(Object.keys(packages).toSorted())
    for (const [place, folder] of order.entries()) {
      const before = order.slice(0, place).map((one) => packages[one]?.name)
      expect(before).toEqual(expect.arrayContaining([...(packages[folder]?.imports ?? [])]))
    }
  })

  it('is published with provenance, by a workflow that may sign it', () => {
    expect(publishArguments(false)).toContain('--provenance')
    expect(publishArguments(true)).toContain('--dry-run')
    const workflow = parse(read('.github/workflows/release.yml')) as {
      readonly permissions: unknown
      readonly jobs: { readonly publish: { readonly steps: readonly { readonly run?: string }[] } }
    }
    expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    const commands = workflow.jobs.publish.steps.flatMap(({ run }) => run ?? [])
    expect(commands).toEqual([expect.stringMatching(/^npm run release -- --publish /)])
  })

  it('gives each workspace a name and a version, without which npm packs none of them', () => {
    const { workspaces = [] } = manifestOf('.')
    const folders = globSync(
      workspaces.map((pattern) => `${pattern}/package.json`),
      { cwd: root },
    )
    const wrong = folders.filter((file) => {
      const { name, version } = manifestOf(dirname(file))
      return !name || !version
    })
    expect(folders.length).toBeGreaterThan(Object.keys(packages).length)
    expect(wrong).toEqual([])
    expect(manifestOf('docs/playground').private).toBe(true)
  })

  it.each(Object.keys(packages))(
    'of %s names the repository and the folder that it is built from',
    (folder) => {
      const { repository, private: isPrivate, publishConfig } = manifestOf(`packages/${folder}`)
      const { repository: whole } = manifestOf('.')
      // npm refuses provenance where this is not the repository of the workflow.
      expect(repository).toEqual({ ...whole, directory: `packages/${folder}` })
      expect([isPrivate, publishConfig]).toEqual([undefined, undefined])
    },
  )
})

const root = resolve(import.meta.dirname, '../..')

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

interface PublishedManifest {
  readonly name?: string
  readonly version?: string
  readonly workspaces?: readonly string[]
  readonly repository?: Readonly<Record<string, string>>
  readonly private?: boolean
  readonly publishConfig?: object
}

function manifestOf(folder: string): PublishedManifest {
  return JSON.parse(read(`${folder}/package.json`)) as PublishedManifest
}
