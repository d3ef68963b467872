import type { ApiRequest } from '@homeostat/api'
import type * as Yaml from 'yaml'
import { LazyModule } from '../work/index.ts'

/** What reads and writes YAML. It takes as long to load as a third of the server, and most servers never meet YAML. */
export const yamlLibrary = new LazyModule<typeof Yaml>('the library for YAML', () => import('yaml'))

const OPENING_BRACE = 0x7b

/** Whether YAML is to be read or written to answer a request. */
export function needsYaml({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>): boolean {
  const sent = headers['content-type']?.toLowerCase().includes('yaml') && body?.[0] !== OPENING_BRACE
  return sent || (headers['accept']?.includes('yaml') ?? false)
}
