import { isJsonObject } from '@homeostat/api'
import { ConfigError } from './config-error.ts'
import { nodeModules } from '../process/index.ts'

/** An entry of a kubeconfig, with its file: relative paths are relative to that file. */
export interface KubeconfigEntry {
  readonly file: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** One or several kubeconfig files as one. */
export interface Kubeconfig {
  /** The files that it came from, for messages. */
  readonly files: readonly string[]
  readonly currentContext: string | undefined
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>
  readonly users: ReadonlyMap<string, KubeconfigEntry>
}

/** Reads one kubeconfig file (YAML or JSON). Throws a `ConfigError` that names the file and the place. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const document = nodeModules.yaml.parseDocument(text)
  const [problem] = document.errors
  if (problem) {
    throw new ConfigError(
      'CONFIG_SYNTAX',
      `${file} is not valid YAML: ${problem.message.split('\n')[0]}. Correct the file, or fetch it again.`,
      { cause: problem },
    )
  }
  const content: unknown = document.toJS() ?? {}
  if (!isJsonObject(content)) {
    throw new ConfigError(
      'CONFIG_INVALID',
      `${file} is not a kubeconfig: its content is not a mapping. Check that it is the right file.`,
    )
  }
  if (content['kind'] !== undefined && content['kind'] !== 'Config') {
    throw new ConfigError(
      'CONFIG_INVALID',
      `${file} is not a kubeconfig: its kind is ${JSON.stringify(content['kind'])}, not Config. Check that it is the right file.`,
    )
  }
  const current = content['current-context']
  return {
    files: [file],
    currentContext: typeof current === 'string' && current !== '' ? current : undefined,
    contexts: entries(content['contexts'], 'contexts', 'context', file),
    clusters: entries(content['clusters'], 'clusters', 'cluster', file),
    users: entries(content['users'], 'users', 'user', file),
  }
}

/** Several files as one: for each entry, and for the current context, the first file that has it wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merged = (select: (config: Kubeconfig) => ReadonlyMap<string, KubeconfigEntry>) =>
    new Map(configs.toReversed().flatMap((config) => [...select(config)]))
  return {
    files: configs.flatMap((config) => config.files),
    currentContext: configs.find((config) => config.currentContext)?.currentContext,
    contexts: merged((config) => config.contexts),
    clusters: merged((config) => config.clusters),
    users: merged((config) => config.users),
  }
}

function entries(list: unknown, field: string, content: string, file: string): Map<string, KubeconfigEntry> {
  const found = new Map<string, KubeconfigEntry>()
  if (list === undefined || list === null) return found
  const invalid = (where: string, what: string): ConfigError =>
    new ConfigError('CONFIG_INVALID', `${file}: ${where} ${what}. Correct the file.`)
  if (!Array.isArray(list)) throw invalid(field, 'must be a list')
  for (const [index, item] of list.entries()) {
    if (!isJsonObject(item)) throw invalid(`${field}[${index}]`, 'must be a mapping')
    const name = item['name']
    if (typeof name !== 'string' || name === '') throw invalid(`${field}[${index}]`, 'has no name')
    const fields = item[content] ?? {}
    if (!isJsonObject(fields)) throw invalid(`${field}[${index}].${content}`, 'must be a mapping')
    if (!found.has(name)) found.set(name, { file, fields })
  }
  return found
}
