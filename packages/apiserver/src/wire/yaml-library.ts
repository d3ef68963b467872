import type { ApiRequest } from '@homeostat/api'
import type * as Yaml from 'yaml'
import { LazyModule } from '../work/index.ts'

/** The YAML library, which is loaded late: most servers never need it, and loading it takes a third as long as loading the server. */
export const yamlLibrary = new LazyModule<typeof Yaml>('the library for YAML', () => import('yaml'))

const OPENING_BRACE = 0x7b

/** Whether a request needs YAML. */
export function needsYaml({ headers, body }: Pick<ApiRequest, 'headers' | 'body'>): boolean {
  const sent = headers['content-type']?.toLowerCase().includes('yaml') && body?.[0] !== OPENING_BRACE
  return sent || (headers['accept']?.includes('yaml') ?? false)
}
