import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { Discovery } from '../../discovery/index.ts'
import { HEALTH_PATHS } from './health.ts'

const encoder = new TextEncoder()
const OTHERS = [
  '/.well-known/openid-configuration',
  '/api',
  '/apis',
  '/apis/',
  '/metrics',
  '/metrics/slis',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openid/v1/jwks',
  '/version',
]

/** `/`: every address below which something is served. Undefined for other paths. */
export function rootAnswer(request: ApiRequest, discovery: Discovery): ApiResponse | undefined {
  if (request.path !== '/' && request.path !== '/index.html') return undefined
  const paths = [...new Set([...OTHERS, ...HEALTH_PATHS, ...discovery.paths()])].sort()
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache, private' },
    body: encoder.encode(JSON.stringify({ paths }, undefined, 2)),
  }
}
