import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cacheDirectory, findBinaries, missingPrograms } from './binaries.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-binaries-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the programs of a real Kubernetes', () => {
  test('are looked for where a person says that they are', () => {
    for (const program of ['etcd', 'kube-apiserver']) writeFileSync(join(folder, program), '')
    const found = findBinaries({ KUBEBUILDER_ASSETS: folder })
    expect(found).toMatchObject({ directory: folder, assets: true })
    expect([...found.programs]).toEqual(['etcd', 'kube-apiserver'])
  })

  test('are missed by name, with what to do', () => {
    writeFileSync(join(folder, 'etcd'), '')
    expect(() => findBinaries({ KUBEBUILDER_ASSETS: folder })).toThrow(
      /there is no kube-apiserver in it: point it at a folder/,
    )
    expect(() => findBinaries({ XDG_CACHE_HOME: folder })).toThrow(
      /There is no kube-apiserver and no etcd in .*: run "npm run kubernetes"/,
    )
  })

  test('are cached outside the repository, by version', () => {
    expect(cacheDirectory({ XDG_CACHE_HOME: '/var/cache' })).toBe('/var/cache/homeostat/kubernetes-1.36.3')
    expect(cacheDirectory({ HOME: '/home/me' })).toMatch(/\.cache\/homeostat\/kubernetes-1\.36\.3$/)
    expect(missingPrograms(folder)).toHaveLength(4)
  })
})
