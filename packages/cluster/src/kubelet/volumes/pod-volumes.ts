import { lstat, mkdir, realpath, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import type { DeepReadonly } from '@homeostat/api'
import { PodProblem } from '../pod-problem.ts'
import { AtomicFolder } from './atomic-folder.ts'
import { pathBelow } from './safe-path.ts'
import { volumeFiles, type ConfigReader } from './volume-files.ts'

/**
 * The folders of one Pod: `volumes/<name>` for each volume, and `containers/<name>` for each container,
 * where a process starts and finds its mounts below. Everything is gone after `remove`.
 */
export class PodVolumes {
  readonly #folder: string
  readonly #written = new Map<string, AtomicFolder>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Brings all volumes up to date. Throws a {@link PodProblem} for the first that cannot be. */
  async sync(pod: Pod, reader: ConfigReader): Promise<void> {
    for (const volume of pod.spec.volumes ?? []) {
      const folder = this.#volume(volume.name)
      let files
      try {
        files = await volumeFiles(volume, reader)
      } catch (error) {
        if (!(error instanceof PodProblem)) throw error
        throw new PodProblem(
          `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${error.message}`,
        )
      }
      await mkdir(folder, { recursive: true, mode: 0o777 })
      if (!files) continue
      let written = this.#written.get(volume.name)
      if (!written) this.#written.set(volume.name, (written = new AtomicFolder(folder)))
      await written.write(files)
    }
  }

  /** Where a container's mounts are, by their path in the container. */
  async mounts(container: DeepReadonly<CoreV1.Container>): Promise<Record<string, string>> {
    const mounts: Record<string, string> = {}
    for (const mount of container.volumeMounts ?? []) {
      if (mount.subPathExpr)
        throw new PodProblem(`the mount at ${mount.mountPath} has a subPathExpr: use subPath`)
      const volume = this.#volume(mount.name)
      mounts[posix.normalize(`/${mount.mountPath}`).replace(/(?<=.)\/$/, '')] = mount.subPath
        ? await inside(volume, pathBelow(mount.subPath, 'the subPath'))
        : volume
    }
    return mounts
  }

  /**
   * The folder that a process starts in, with links to the mounts below it: `book/src` there is what
   * `/book/src` is in a container.
   */
  async containerFolder(name: string, mounts: Readonly<Record<string, string>>): Promise<string> {
    const folder = join(this.#folder, 'containers', pathBelow(name, 'the name of the container'))
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const shallowFirst = Object.entries(mounts).sort(([a], [b]) => a.length - b.length)
    for (const [path, target] of shallowFirst) {
      const link = join(folder, path)
      // A mount inside of another one would be written into that one: it has no link.
      if (!(await leadsOut(folder, dirname(link)))) {
        await mkdir(dirname(link), { recursive: true }).catch(() => undefined)
        await symlink(target, link).catch(() => undefined)
      }
    }
    return folder
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
  }

  #volume(name: string): string {
    return join(this.#folder, 'volumes', pathBelow(name, 'the name of the volume'))
  }
}

/** A path within a volume, made if it is not there; refused when a link in the volume leads out of it. */
async function inside(volume: string, path: string): Promise<string> {
  const target = join(volume, path)
  if (await leadsOut(volume, target)) {
    throw new PodProblem(`the subPath ${JSON.stringify(path)} leads out of its volume`)
  }
  if (!(await stat(target).catch(() => undefined))) await mkdir(target, { recursive: true })
  return target
}

/** Whether links lead from the folder to somewhere else on the way to a path below it, as far as that exists. */
async function leadsOut(folder: string, path: string): Promise<boolean> {
  const root = await realpath(folder)
  for (let part = path; part.startsWith(folder); part = dirname(part)) {
    const real = await realpath(part).catch(() => undefined)
    if (real !== undefined) return real !== root && !real.startsWith(root + sep)
    // A link to something that is not there (yet) is as bad as one to something that is.
    if (await lstat(part).catch(() => undefined)) return true
  }
  return true
}
