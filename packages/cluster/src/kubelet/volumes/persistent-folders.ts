import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PodProblem } from '../sources/index.ts'

/**
 * The folders of PersistentVolumes: one for each handle, below a folder of the cluster that all of its nodes
 * share. They outlive the Pods that mount them.
 */
export class PersistentFolders {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Where the data of a handle is. A handle that could lead elsewhere is refused with a {@link PodProblem}. */
  folder(handle: string): string {
    if (!/^[a-zA-Z0-9][-._a-zA-Z0-9]{0,252}$/.test(handle)) {
      throw new PodProblem(
        `the volumeHandle ${JSON.stringify(handle)} cannot be the name of a folder: use letters, digits, "-", "_" and "."`,
      )
    }
    return join(this.#root, handle)
  }

  /** Makes the folder, unless it is there. */
  async create(handle: string): Promise<void> {
    const folder = this.folder(handle)
    await mkdir(this.#root, { recursive: true, mode: 0o700 })
    await mkdir(folder, { recursive: true, mode: 0o777 })
  }

  /** Removes the folder and its content. A missing folder is not an error. */
  async remove(handle: string): Promise<void> {
    await rm(this.folder(handle), { recursive: true, force: true })
  }
}
