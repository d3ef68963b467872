import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { statusAnswer, textAnswer } from './answer.ts'

const CHECKS = ['ping', 'log', 'etcd', 'poststarthook/start-apiextensions-controllers']

/** `/healthz`, `/livez` and `/readyz`: a server that answers is well. Undefined for other paths. */
export function healthAnswer(request: ApiRequest): ApiResponse | undefined {
  const match = /^\/(healthz|livez|readyz)(?:\/(.+))?$/.exec(request.path)
  if (!match) return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return statusAnswer(failure.methodNotAllowed())
  const [, name, check] = match
  if (check !== undefined)
    return CHECKS.includes(check) ? textAnswer(200, 'ok') : textAnswer(404, '404 page not found\n')
  if (!request.query.has('verbose')) return textAnswer(200, 'ok')
  return textAnswer(200, `${CHECKS.map((one) => `[+]${one} ok\n`).join('')}${name} check passed\n`)
}
