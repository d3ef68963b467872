import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { ServiceAccountTokens } from '../../auth/index.ts'
import { statusAnswer } from '../answer/answer.ts'

const encoder = new TextEncoder()
const CONFIGURATION = '/.well-known/openid-configuration'
const KEYS = '/openid/v1/jwks'
const KEY_SET = 'application/jwk-set+json'

/**
 * The documents by which other programs verify tokens of ServiceAccounts: the issuer and its public keys. Undefined
 * for other paths.
 */
export async function openIdAnswer(
  request: ApiRequest,
  tokens: ServiceAccountTokens,
): Promise<ApiResponse | undefined> {
  if (request.path.startsWith(`${CONFIGURATION}/`)) return statusAnswer(failure.pathNotFound())
  const discovery = request.path === CONFIGURATION
  if (!discovery && request.path !== KEYS) return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return statusAnswer(failure.methodNotAllowed())
  const { keys, algorithms } = await tokens.keys.jwks()
  if (!discovery) return accepts(request, KEY_SET) ? document(KEY_SET, { keys }) : unacceptable(KEY_SET)
  if (!accepts(request, 'application/json')) return unacceptable('application/json')
  const host = request.headers['host'] ?? new URL(tokens.issuer).host
  return document('application/json', {
    issuer: tokens.issuer,
    jwks_uri: `https://${host}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithms,
  })
}

function accepts(request: ApiRequest, type: string): boolean {
  const wanted = (request.headers['accept'] ?? '*/*').split(',').map((one) => one.split(';')[0]?.trim())
  return wanted.some((one) => one === type || one === '*/*' || one === 'application/*' || one === '')
}

function unacceptable(type: string): ApiResponse {
  const status = failure.notAcceptable([type])
  const message = `406: Not Acceptable\n\nAvailable representations: ${type}`
  return statusAnswer({ ...status, message, details: {} })
}

function document(contentType: string, value: object): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': contentType, 'cache-control': 'public, max-age=3600' },
    body: encoder.encode(JSON.stringify(value)),
  }
}
