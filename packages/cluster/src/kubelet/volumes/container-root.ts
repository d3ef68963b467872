import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { FolderFiles, type Mount } from '@homeostat/shell'
import { leadsOut } from './safe-path.ts'

export interface ContainerRootOptions {
  /** The folder on this machine. What is in it is removed: every run of a container begins with a fresh root. */
  readonly folder: string
  readonly mounts: readonly Mount[]
  /** Files that every container has, by their path in the container. */
  readonly files: Readonly<Record<string, string>>
  /** Puts links to the mounts below the folder, for processes: they see no other root than the machine's. */
  readonly links: boolean
}

/** Makes the root of a container: its folder, the files that all have, and a place for each mount. */
export function makeContainerRoot(options: ContainerRootOptions): FolderFiles {
  const { folder, mounts, links } = options
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  // Every image has one, and `kubectl cp` likes to put things there.
  attempt(() => mkdirSync(join(folder, 'tmp')))
  const files = new Map(
    Object.entries(options.files).map(([path, text]) => [posix.normalize(`/${path}`), text]),
  )
  for (const parent of new Set([...files.keys()].map((path) => dirname(path)))) {
    attempt(() => mkdirSync(join(folder, parent), { recursive: true }))
  }
  for (const [path, text] of files) attempt(() => writeFileSync(join(folder, path), text))
  const shallowFirst = [...mounts].sort((a, b) => a.path.length - b.path.length)
  for (const mount of shallowFirst) {
    const place = join(folder, mount.path)
    if (place === folder) continue
    if (!links) makePlace(mount.source, place)
    // A mount inside of another one would be made in that one: it has no link.
    else if (!leadsOut(folder, dirname(place))) link(mount.source, place)
  }
  return new FolderFiles({ root: folder, mounts })
}

function link(source: string, place: string): void {
  attempt(() => {
    mkdirSync(dirname(place), { recursive: true })
    rmSync(place, { force: true })
    symlinkSync(source, place)
  })
}

function makePlace(source: string, place: string): void {
  const isFile = statSync(source, { throwIfNoEntry: false })?.isFile() === true
  attempt(() => mkdirSync(isFile ? dirname(place) : place, { recursive: true }))
  if (isFile) attempt(() => writeFileSync(place, ''))
}

/** What has the path of a folder, or lies in a file, because the Pod says so, is left out. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // As said above.
  }
}
