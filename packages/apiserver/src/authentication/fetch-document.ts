import { HomeostatError } from '@homeostat/api'

/** The longest document that is read. */
const MOST_BYTES = 4 * 1024 * 1024
const TIMEOUT = 30_000

/** Reads a JSON document over HTTPS. */
export type FetchDocument = (url: string) => Promise<unknown>

/** Reads documents of servers whose certificates one of these authorities (PEM) has signed; empty for those of the machine. */
export function fetchOverHttps(certificateAuthority: string): FetchDocument {
  return async (url) => {
    const { get } = process.getBuiltinModule('node:https')
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const ca = certificateAuthority === '' ? undefined : certificateAuthority
    const headers = { accept: 'application/json', connection: 'close' }
    const signal = AbortSignal.timeout(TIMEOUT)
    const request = get(url, { ca, allowPartialTrustChain: true, headers, signal }, (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        chunks.push(chunk)
        if (length > MOST_BYTES) request.destroy(problem(url, 'the answer is too long'))
      })
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString())
        else reject(problem(url, `the answer has the status ${response.statusCode}`))
      })
    })
    request.on('error', reject)
    const document: unknown = JSON.parse(await promise)
    return document
  }
}

function problem(url: string, why: string): HomeostatError {
  return new HomeostatError('ISSUER_UNREADABLE', `${url} cannot be read: ${why}`)
}
