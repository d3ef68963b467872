import type { DeepReadonly } from '@homeostat/api'
import type { ConfigMap, CoreV1, Secret } from '@homeostat/api/kinds'
import { PodProblem } from '../pod-problem.ts'
import type { VolumeFile } from './atomic-folder.ts'
import { keyAsFile, pathBelow } from './safe-path.ts'

/** Finds the ConfigMaps and Secrets of the Pod's namespace. */
export interface ConfigReader {
  configMap(name: string): Promise<ConfigMap | undefined>
  secret(name: string): Promise<Secret | undefined>
}

const DEFAULT_MODE = 0o644

interface Source {
  readonly items?: readonly Readonly<CoreV1.KeyToPath>[] | undefined
  readonly optional?: boolean | undefined
}

/**
 * The files of a volume that shows ConfigMaps or Secrets; `undefined` for a folder of the Pod's own
 * (`emptyDir`). Everything else throws a {@link PodProblem}.
 */
export async function volumeFiles(
  volume: DeepReadonly<CoreV1.Volume>,
  reader: ConfigReader,
): Promise<Map<string, VolumeFile> | undefined> {
  if (volume.emptyDir) return undefined
  const files = new Map<string, VolumeFile>()
  if (volume.configMap) {
    await addConfigMap(files, volume.configMap, volume.configMap.defaultMode ?? DEFAULT_MODE, reader)
  } else if (volume.secret) {
    const source = { ...volume.secret, name: volume.secret.secretName }
    await addSecret(files, source, source.defaultMode ?? DEFAULT_MODE, reader)
  } else if (volume.projected) {
    const mode = volume.projected.defaultMode ?? DEFAULT_MODE
    for (const source of volume.projected.sources ?? []) {
      if (source.configMap) await addConfigMap(files, source.configMap, mode, reader)
      else if (source.secret) await addSecret(files, source.secret, mode, reader)
      else throw unsupported(volume.name, `a projected ${typeOf(source)}`)
    }
  } else {
    throw unsupported(volume.name, typeOf(volume))
  }
  refuseClashes(files)
  return files
}

/** A path cannot be a file and a folder. */
function refuseClashes(files: ReadonlyMap<string, VolumeFile>): void {
  for (const path of files.keys()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const parent = path.slice(0, end)
      if (!files.has(parent)) continue
      throw new PodProblem(
        `the path ${JSON.stringify(parent)} is a file, and ${JSON.stringify(path)} is in it`,
      )
    }
  }
}

async function addConfigMap(
  files: Map<string, VolumeFile>,
  source: Source & { readonly name?: string | undefined },
  mode: number,
  reader: ConfigReader,
): Promise<void> {
  const name = source.name ?? ''
  const configMap = await reader.configMap(name)
  if (!configMap && !source.optional) throw new PodProblem(`configmap ${JSON.stringify(name)} not found`)
  const content = new Map<string, Uint8Array>()
  for (const [key, text] of Object.entries(configMap?.data ?? {})) content.set(key, Buffer.from(text))
  for (const [key, data] of Object.entries(configMap?.binaryData ?? {})) {
    content.set(key, Buffer.from(data, 'base64'))
  }
  addContent(files, content, source, mode, `configmap ${JSON.stringify(name)}`)
}

async function addSecret(
  files: Map<string, VolumeFile>,
  source: Source & { readonly name?: string | undefined },
  mode: number,
  reader: ConfigReader,
): Promise<void> {
  const name = source.name ?? ''
  const secret = await reader.secret(name)
  if (!secret && !source.optional) throw new PodProblem(`secret ${JSON.stringify(name)} not found`)
  const content = new Map<string, Uint8Array>()
  for (const [key, data] of Object.entries(secret?.data ?? {})) content.set(key, Buffer.from(data, 'base64'))
  addContent(files, content, source, mode, `secret ${JSON.stringify(name)}`)
}

function addContent(
  files: Map<string, VolumeFile>,
  content: ReadonlyMap<string, Uint8Array>,
  source: Source,
  mode: number,
  what: string,
): void {
  if (!source.items) {
    for (const [key, bytes] of content) files.set(keyAsFile(key), { content: bytes, mode })
    return
  }
  for (const item of source.items) {
    const path = pathBelow(item.path, 'the path of an item')
    const bytes = content.get(item.key)
    if (bytes) files.set(path, { content: bytes, mode: item.mode ?? mode })
    else if (!source.optional)
      throw new PodProblem(`references non-existent config key: ${item.key} in ${what}`)
  }
}

function typeOf(source: object): string {
  return Object.keys(source).find((key) => key !== 'name') ?? 'volume without a type'
}

function unsupported(name: string, type: string): PodProblem {
  return new PodProblem(
    `volume ${JSON.stringify(name)} is ${type}, which this node does not have: it has configMap, secret, projected (of both) and emptyDir`,
  )
}
