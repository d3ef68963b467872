import { readFileSync } from 'node:fs'
import type { Clock } from '@homeostat/api'
import type { ClusterConfig } from './cluster-config.ts'
import { TransportError } from './transport-error.ts'

/** Tokens of Pods are renewed long before they end: a minute is soon enough. */
const TOKEN_FILE_MILLISECONDS = 60_000

/** Gives the `authorization` header of each request; a token file is read again every minute. */
export function authorization(config: ClusterConfig, clock: Clock): () => string | undefined {
  if (config.tokenFile !== undefined) return fromFile(config.tokenFile, config, clock)
  if (config.token !== undefined) {
    const header = `Bearer ${config.token}`
    return () => header
  }
  if (config.username !== undefined) {
    const header = `Basic ${Buffer.from(`${config.username}:${config.password ?? ''}`).toString('base64')}`
    return () => header
  }
  return () => undefined
}

function fromFile(file: string, config: ClusterConfig, clock: Clock): () => string {
  let header: string | undefined
  let readAt = 0
  return () => {
    if (header !== undefined && clock.monotonic() - readAt < TOKEN_FILE_MILLISECONDS) return header
    try {
      const token = readFileSync(file, 'utf8').trim()
      if (token === '') throw new Error('the file is empty')
      header = `Bearer ${token}`
      readAt = clock.monotonic()
      return header
    } catch (cause) {
      // While a mount is being renewed the file may be away for a moment: the last token is still good.
      if (header !== undefined) return header
      throw new TransportError(
        'TRANSPORT_CREDENTIALS',
        `the token for ${config.server} cannot be read from ${file} (${config.source}). Check that the file is there and readable.`,
        { cause },
      )
    }
  }
}
