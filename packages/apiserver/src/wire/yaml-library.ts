import type { ApiRequest } from '@homeostat/api'
import type * as Yaml from 'yaml'

type YamlLibrary = typeof Yaml

let library: YamlLibrary | undefined

/**
 * Loads what reads and writes YAML, where a request needs it; undefined where it does not, or all is there. It takes as
 * long to load as a third of the server, and most servers never meet YAML.
 */
export function yamlFor({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>): Promise<void> | undefined {
  if (library) return undefined
  const sent = headers['content-type']?.includes('yaml') && body?.[0] !== OPENING_BRACE
  return sent || headers['accept']?.includes('yaml') ? loadYaml() : undefined
}

const OPENING_BRACE = 0x7b

/** Loads what reads and writes YAML. */
export async function loadYaml(): Promise<void> {
  library = await import('yaml')
}

/** What reads and writes YAML; it must have been loaded. */
export function yamlLibrary(): YamlLibrary {
  if (!library) throw new Error('YAML is read or written before it was loaded: await loadYaml() first')
  return library
}
