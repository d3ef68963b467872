import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import { nodeFolder, openNodeFolder } from './kubelet/index.ts'

/** The paths in the folder of a cluster. */
export interface ClusterFolder {
  readonly path: string
  /** Where the API server keeps its objects and its credentials; none where they are in memory. */
  readonly api: string | undefined
  /** Where the volumes of PersistentVolumes are. */
  readonly volumes: string
  /** The folder of a node. */
  node(name: string): string
  /** Marks the folder as used by this process. */
  mark(): void
  /** The message when another cluster uses it. */
  inUse(cause: unknown): HomeostatError
  /** Releases the folder. Removes it if it was made only for this run. */
  release(): Promise<void>
}

/** Opens the folder, or makes a temporary one. Fails with `FOLDER_NOT_MADE` where that is not possible. */
export async function openClusterFolder(dataDir: string | undefined): Promise<ClusterFolder> {
  const folder = await openFolder(dataDir)
  const { path } = folder
  const mark = join(path, 'cluster.pid')
  const api = dataDir === undefined ? undefined : join(path, 'api')
  const volumes = join(path, 'volumes')
  for (const folder of [volumes, ...(api === undefined ? [] : [api])]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  }
  let marked = false
  return {
    path,
    api,
    volumes,
    node: (name) => nodeFolder(path, name),
    mark: () => {
      writeFileSync(mark, `${process.pid}\n`, { mode: 0o600 })
      marked = true
    },
    inUse: (cause) => {
      const process = readText(mark)?.trim()
      const who = process ? ` (process ${process})` : ''
      return new HomeostatError(
        'CLUSTER_FOLDER_IN_USE',
        `another cluster uses the folder ${path}${who}: stop it, or choose another folder`,
        { cause },
      )
    },
    release: async () => {
      if (marked) rmSync(mark, { force: true })
      await folder.release()
    },
  }
}

async function openFolder(dataDir: string | undefined): ReturnType<typeof openNodeFolder> {
  try {
    return await openNodeFolder(dataDir)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HomeostatError(
      'FOLDER_NOT_MADE',
      `the cluster's folder ${dataDir ?? ''} cannot be created: ${why}. Choose another one`,
      { cause },
    )
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
