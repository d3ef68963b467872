import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HomeostatError } from '@homeostat/api'
import type { ClusterOptions } from '../cluster-options.ts'

/** The content of a config file. */
export type ClusterConfig = Pick<
  ClusterOptions,
  | 'images'
  | 'nodes'
  | 'hostCommands'
  | 'hostPaths'
  | 'processNames'
  | 'separation'
  | 'processLimit'
  | 'authentication'
  | 'authorization'
  | 'tokenWebhook'
>

const KNOWN: readonly string[] = [
  'images',
  'nodes',
  'hostCommands',
  'hostPaths',
  'processNames',
  'separation',
  'processLimit',
  'authentication',
  'authorization',
  'tokenWebhook',
]

/** The default export of a module. Fails with `CONFIG_INVALID` and the problem. */
export async function readConfigFile(path: string | undefined): Promise<ClusterConfig> {
  if (path === undefined) return {}
  const file = resolve(path)
  const config = (await load(file))['default']
  if (typeof config !== 'object' || config === null)
    throw invalid(file, 'it has no default export that is an object')
  const unknown = Object.keys(config).find((key) => !KNOWN.includes(key))
  if (unknown !== undefined)
    throw invalid(file, `it has no option ${JSON.stringify(unknown)}: the options are ${KNOWN.join(', ')}`)
  const { images } = config as ClusterConfig
  for (const [name, image] of Object.entries(images ?? {})) {
    const fits =
      image && ('module' in image ? typeof image.module === 'function' : typeof image.command === 'string')
    if (!fits)
      throw invalid(file, `images[${JSON.stringify(name)}] has neither a module function nor a command`)
  }
  return config
}

async function load(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HomeostatError('CONFIG_INVALID', `--config: ${file} cannot be loaded: ${why}`, { cause })
  }
}

function invalid(file: string, what: string): HomeostatError {
  return new HomeostatError(
    'CONFIG_INVALID',
    `--config: ${file}: ${what}. Write export default { images: { name: { command: 'node', args: [] } } }`,
  )
}
