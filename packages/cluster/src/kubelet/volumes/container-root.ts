import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { FolderFiles, type Mount } from '@homeostat/shell'
import { leadsOut } from './safe-path.ts'

export interface ContainerRootOptions {
  /** The folder on this machine. Its content is removed: every run of a container begins with a fresh root. */
  readonly folder: string
  readonly mounts: readonly Mount[]
  /** Creates the targets of the mounts that do not exist yet. */
  readonly openMounts: () => void
  /** Files that every container has, by their path in the container. */
  readonly files: Readonly<Record<string, string>>
  /** Puts links to the mounts below the folder, for processes: they see no other root than the machine's. */
  readonly links: boolean
}

/**
 * The root of a container: its folder, the files that all have, and a place for each mount. It is made when it is first
 * needed: most containers that run in this process never look at a file.
 */
export class ContainerRoot {
  readonly files: FolderFiles
  readonly #options: ContainerRootOptions
  #isMade = false

  constructor(options: ContainerRootOptions) {
    this.#options = options
    const { folder, mounts } = options
    this.files = new FolderFiles({ root: folder, mounts, prepare: () => this.make() })
  }

  /** On this machine. */
  get folder(): string {
    return this.#options.folder
  }

  /** Whether there may be files. */
  get isMade(): boolean {
    return this.#isMade
  }

  make(): void {
    if (this.#isMade) return
    this.#isMade = true
    this.#options.openMounts()
    makeRoot(this.#options)
    // Finds the real places of the mounts now, before a container can exchange them.
    this.files.canonical('/')
  }
}

function makeRoot(options: ContainerRootOptions): void {
  const { folder, mounts, links } = options
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  // Every image has `/tmp`, and `kubectl cp` often copies to it.
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

/** Ignores the failure of a mount that the Pod puts in place of a folder or below a file. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The mount is left out.
  }
}
