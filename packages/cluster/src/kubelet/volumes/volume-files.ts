import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import {
  fieldValue,
  PodProblem,
  resourceValue,
  type PodFacts,
  type PodSources,
  type PodTokens,
} from '../sources/index.ts'
import type { VolumeFile } from './atomic-folder.ts'
import { keyAsFile, pathBelow } from './safe-path.ts'

/** The sources of a volume's files. */
export interface VolumeContext {
  readonly pod: Pod
  readonly facts: PodFacts
  readonly sources: PodSources
  readonly tokens: PodTokens
}

const DEFAULT_MODE = 0o644
const DEFAULT_TOKEN_SECONDS = 3_600

interface Source {
  readonly name?: string | undefined
  readonly items?: readonly Readonly<CoreV1.KeyToPath>[] | undefined
  readonly optional?: boolean | undefined
}

type Files = Map<string, VolumeFile>

/**
 * The files of a volume that shows content of the API: ConfigMaps, Secrets, tokens, fields of the Pod; `undefined` for a
 * volume of another type. Throws a {@link PodProblem} for a missing source.
 */
export async function volumeFiles(
  volume: DeepReadonly<CoreV1.Volume>,
  context: VolumeContext,
): Promise<Files | undefined> {
  const files: Files = new Map()
  if (volume.configMap) {
    await addConfigMap(files, volume.configMap, volume.configMap.defaultMode ?? DEFAULT_MODE, context)
  } else if (volume.secret) {
    const source = { ...volume.secret, name: volume.secret.secretName }
    await addSecret(files, source, source.defaultMode ?? DEFAULT_MODE, context)
  } else if (volume.downwardAPI) {
    const { items = [], defaultMode = DEFAULT_MODE } = volume.downwardAPI
    addFields(files, items, defaultMode, context)
  } else if (volume.projected) {
    const mode = volume.projected.defaultMode ?? DEFAULT_MODE
    for (const source of volume.projected.sources ?? []) await addProjected(files, source, mode, context)
  } else {
    return undefined
  }
  refuseClashes(files)
  return files
}

async function addProjected(
  files: Files,
  source: DeepReadonly<CoreV1.VolumeProjection>,
  mode: number,
  context: VolumeContext,
): Promise<void> {
  if (source.configMap) return addConfigMap(files, source.configMap, mode, context)
  if (source.secret) return addSecret(files, source.secret, mode, context)
  if (source.downwardAPI) return addFields(files, source.downwardAPI.items ?? [], mode, context)
  if (source.serviceAccountToken) {
    const { path, audience, expirationSeconds = DEFAULT_TOKEN_SECONDS } = source.serviceAccountToken
    const wanted = { audience: audience || undefined, expirationSeconds }
    const token = await context.tokens.get(wanted, context.sources)
    files.set(pathBelow(path, 'the path of the token'), { content: Buffer.from(token), mode })
    return
  }
  const type = Object.keys(source)[0] ?? 'nothing'
  throw new PodProblem(
    `a projected ${type} is not supported: use configMap, secret, downwardAPI or serviceAccountToken`,
  )
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

/** Adds the files of a source to those of a volume. */
type AddFiles = (files: Files, source: Source, mode: number, context: VolumeContext) => Promise<void>

const addConfigMap: AddFiles = async (files, source, mode, { sources }) => {
  const name = source.name ?? ''
  const configMap = await sources.configMap(name)
  if (!configMap && !source.optional) throw new PodProblem(`configmap ${JSON.stringify(name)} not found`)
  const content = new Map<string, Uint8Array>()
  for (const [key, text] of Object.entries(configMap?.data ?? {})) content.set(key, Buffer.from(text))
  for (const [key, data] of Object.entries(configMap?.binaryData ?? {})) {
    content.set(key, Buffer.from(data, 'base64'))
  }
  addContent(files, content, source, mode, 'configmap references non-existent config key')
}

const addSecret: AddFiles = async (files, source, mode, { sources }) => {
  const name = source.name ?? ''
  const secret = await sources.secret(name)
  if (!secret && !source.optional) throw new PodProblem(`secret ${JSON.stringify(name)} not found`)
  const content = new Map<string, Uint8Array>()
  for (const [key, data] of Object.entries(secret?.data ?? {})) content.set(key, Buffer.from(data, 'base64'))
  addContent(files, content, source, mode, 'references non-existent secret key')
}

function addContent(
  files: Files,
  content: ReadonlyMap<string, Uint8Array>,
  source: Source,
  mode: number,
  missingKey: string,
): void {
  if (!source.items) {
    for (const [key, bytes] of content) files.set(keyAsFile(key), { content: bytes, mode })
    return
  }
  for (const item of source.items) {
    const path = pathBelow(item.path, 'the path of an item')
    const bytes = content.get(item.key)
    if (bytes) files.set(path, { content: bytes, mode: item.mode ?? mode })
    else if (!source.optional) throw new PodProblem(`${missingKey}: ${item.key}`)
  }
}

function addFields(
  files: Files,
  items: readonly DeepReadonly<CoreV1.DownwardAPIVolumeFile>[],
  mode: number,
  { pod, facts }: VolumeContext,
): void {
  for (const item of items) {
    const text = item.fieldRef
      ? fieldValue(pod, item.fieldRef.fieldPath, facts)
      : item.resourceFieldRef
        ? resourceValue(pod, item.resourceFieldRef, undefined, facts)
        : ''
    const path = pathBelow(item.path, 'the path of an item')
    files.set(path, { content: Buffer.from(text), mode: item.mode ?? mode })
  }
}
