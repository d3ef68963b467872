import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for what a node keeps on disk, and how to leave it. */
export interface NodeFolder {
  readonly path: string
  /** Removes it, if it was made for this run alone. */
  release(): Promise<void>
}

/**
 * The folder of that path, or one of its own below the machine's folder for temporary files. Its path has no
 * links in it, so that whoever looks where a path below it leads can tell.
 */
export async function openNodeFolder(path: string | undefined): Promise<NodeFolder> {
  if (path !== undefined) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return { path: await realpath(path), release: () => Promise.resolve() }
  }
  const made = await realpath(await mkdtemp(join(tmpdir(), 'homeostat-cluster-')))
  return { path: made, release: () => rm(made, { recursive: true, force: true }) }
}
