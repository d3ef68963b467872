import { mkdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { DeepReadonly } from '@homeostat/api'
import type { Mount } from '@homeostat/shell'
import { expand, PodProblem } from '../sources/index.ts'
import { AtomicFolder } from './atomic-folder.ts'
import { openHostPath } from './host-path.ts'
import { openSubPath, pathBelow } from './safe-path.ts'
import { volumeFiles, type VolumeContext } from './volume-files.ts'

type Volume = DeepReadonly<CoreV1.Volume>

/** Where a volume is on this machine, and whether containers may only read it. */
interface OpenVolume {
  readonly folder: string
  readonly readOnly: boolean
}

/**
 * The volumes of one Pod, each a folder of this machine: one of the Pod's own below `volumes/`, the folder of a claim, or
 * a path of the machine where that is allowed.
 */
export class PodVolumes {
  readonly #folder: string
  readonly #hostPaths: boolean
  readonly #written = new Map<string, AtomicFolder>()
  readonly #open = new Map<string, OpenVolume>()
  #isOpen = false

  constructor(folder: string, options: { readonly hostPaths?: boolean | undefined } = {}) {
    this.#folder = folder
    this.#hostPaths = options.hostPaths === true
  }

  /** Updates all volumes. Throws a {@link PodProblem} for the first that cannot be updated. */
  async sync(context: VolumeContext): Promise<void> {
    for (const volume of context.pod.spec.volumes ?? []) {
      try {
        this.#open.set(volume.name, await this.#sync(volume, context))
      } catch (error) {
        if (!(error instanceof PodProblem)) throw error
        throw new PodProblem(
          `MountVolume.SetUp failed for volume ${JSON.stringify(volume.name)} : ${error.message}`,
        )
      }
    }
  }

  /** The folders of its volumes. */
  get folders(): string[] {
    return [...this.#open.values()].map(({ folder }) => folder)
  }

  /** Writes the files of all volumes. They are written late, since many containers never read them. */
  open(): void {
    for (const folder of this.#written.values()) folder.open()
    this.#isOpen = true
  }

  /** Whether the files were written. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** The paths of a container's mounts; {@link open} makes their content. `subPathExpr` may refer to the variables. */
  mounts(container: DeepReadonly<CoreV1.Container>, variables: Readonly<Record<string, string>>): Mount[] {
    const mounts: Mount[] = []
    for (const mount of container.volumeMounts ?? []) {
      const volume = this.#open.get(mount.name)
      if (!volume) throw new PodProblem(`the volume ${JSON.stringify(mount.name)} does not exist`)
      const subPath = subPathOf(mount, variables)
      // A container of the Pod could replace it before it is checked.
      if (subPath !== '' || !this.#written.has(mount.name)) this.open()
      mounts.push({
        path: posix.normalize(`/${mount.mountPath}`).replace(/(?<=.)\/$/, ''),
        source:
          subPath === '' ? volume.folder : openSubPath(volume.folder, pathBelow(subPath, 'the subPath')),
        readOnly: volume.readOnly || mount.readOnly === true,
      })
    }
    return mounts
  }

  async #sync(volume: Volume, context: VolumeContext): Promise<OpenVolume> {
    if (isDevice(volume, context.pod)) {
      throw new PodProblem(
        'block devices are not supported by this node: use a claim with the volumeMode Filesystem, and volumeMounts in place of volumeDevices',
      )
    }
    const folder = join(this.#folder, 'volumes', pathBelow(volume.name, 'the name of the volume'))
    const files = await volumeFiles(volume, context)
    if (files) {
      let written = this.#written.get(volume.name)
      if (!written) this.#written.set(volume.name, (written = new AtomicFolder(folder)))
      if (this.#isOpen) written.open()
      written.write(files)
      return { folder, readOnly: true }
    }
    const known = this.#open.get(volume.name)
    if (known) return known
    if (volume.emptyDir) {
      mkdirSync(folder, { recursive: true, mode: 0o777 })
      return { folder, readOnly: false }
    }
    return this.#openOther(volume, context)
  }

  async #openOther(volume: Volume, { pod, sources }: VolumeContext): Promise<OpenVolume> {
    if (volume.persistentVolumeClaim) {
      const { claimName, readOnly } = volume.persistentVolumeClaim
      return { folder: await sources.claim(claimName), readOnly: readOnly === true }
    }
    if (volume.ephemeral) {
      return { folder: await sources.claim(`${pod.metadata.name}-${volume.name}`), readOnly: false }
    }
    if (volume.hostPath && this.#hostPaths) {
      return { folder: openHostPath(volume.hostPath), readOnly: false }
    }
    throw unsupported(volume)
  }
}

function subPathOf(
  mount: DeepReadonly<CoreV1.VolumeMount>,
  variables: Readonly<Record<string, string>>,
): string {
  if (!mount.subPathExpr) return mount.subPath ?? ''
  const missing = [...mount.subPathExpr.matchAll(/\$(?:\$|\(([^()]*)\))/g)].flatMap(([, name]) =>
    name === undefined || (Object.hasOwn(variables, name) && variables[name] !== '') ? [] : [name],
  )
  if (missing.length > 0) {
    throw new PodProblem(`missing value for ${[...new Set(missing)].sort().join(', ')}`)
  }
  return expand(mount.subPathExpr, variables)
}

/** Whether a container uses a volume as a block device. */
function isDevice(volume: Volume, { spec }: VolumeContext['pod']): boolean {
  return [...(spec.initContainers ?? []), ...spec.containers].some(({ volumeDevices = [] }) =>
    volumeDevices.some(({ name }) => name === volume.name),
  )
}

function unsupported(volume: Volume): PodProblem {
  const type = Object.keys(volume).find((key) => key !== 'name') ?? 'a volume without a type'
  return new PodProblem(
    volume.hostPath
      ? `Pods may not use the path ${JSON.stringify(volume.hostPath.path)} of this machine: start the cluster with hostPaths: true to allow hostPath volumes`
      : `${type} is not supported by this node: use configMap, secret, downwardAPI, projected, emptyDir, persistentVolumeClaim and, where the cluster allows it, hostPath`,
  )
}
