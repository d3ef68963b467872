import type { ApiResponse } from '@homeostat/api'
import { withoutEffectWarnings } from '../effect-warnings.ts'

/** The result of one step of a scenario, before anything in it is made comparable. */
export type Answer = Answered | Told

/** An answer to a request. */
export interface Answered {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  /** Read as JSON where it is. */
  readonly body?: unknown
}

/** The events of a watch. */
export interface Told {
  readonly events: readonly unknown[]
  readonly ended: boolean
}

/** The headers that clients lean on. */
const HEADERS = [
  'allow',
  'cache-control',
  'content-encoding',
  'content-type',
  'location',
  'retry-after',
  'vary',
  'warning',
  'www-authenticate',
  'x-content-type-options',
]
/** Headers that are there or not: their values say nothing. */
const PRESENT = ['audit-id', 'etag']

/** Reads an answer to its end. */
export async function readAnswer(response: ApiResponse): Promise<Answered> {
  return { code: response.status, headers: headersOf(response), body: await bodyOf(response) }
}

/** The headers of an answer that matter. */
export function headersOf({ headers }: Pick<ApiResponse, 'headers'>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of HEADERS) if (headers[name] !== undefined) found[name] = headers[name]
  for (const name of PRESENT) if (headers[name]) found[name] = 'present'
  const { warning, ...others } = found
  const kept = withoutEffectWarnings(warning)
  return kept === undefined ? others : { ...others, warning: kept }
}

async function bodyOf(response: ApiResponse): Promise<unknown> {
  const chunks: Uint8Array[] = []
  if (response.body instanceof Uint8Array) chunks.push(response.body)
  else for await (const chunk of response.body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  if (response.headers['content-encoding']) return { bytes: bytes.length > 0 }
  const text = bytes.toString()
  const type = response.headers['content-type'] ?? ''
  if (type.startsWith('application/json') && text !== '') return JSON.parse(text)
  return type.includes('protobuf') ? bytes.toString('base64') : text
}
