import { failure, type ApiRequest, type ApiResponse, type Status } from '@homeostat/api'
import type { Auditor, AuditRecord } from '../../audit/index.ts'
import { Failure } from '../../registry/index.ts'
import { isObject } from '../../schema/index.ts'
import { ListStream } from '../answer/list-stream.ts'
import { WatchStream } from '../answer/watch-stream.ts'
import type { Exchange } from '../request/exchange.ts'
import { isPortRequest, rawQueryOf } from '../request/port-request.ts'
import { isLongRunning } from './measure.ts'
import type { Next, Step } from './step.ts'

const decoder = new TextDecoder()
/** The codes of answers to bodies that were not read, or could not be read. Such bodies are not logged. */
const UNREAD = new Set([400, 413, 415, 422])

/** Logs that a login failed. */
export const auditLogin: Step<Exchange> = (exchange, next, { auditor, newAuditId }) =>
  auditor ? auditedLogin(exchange, next, auditor, newAuditId) : next(exchange)

async function auditedLogin(
  exchange: Exchange,
  next: Next<Exchange>,
  auditor: Auditor,
  newId: () => string,
): Promise<ApiResponse> {
  exchange.auditId = exchange.request.headers['audit-id'] || newId()
  try {
    return await next(exchange)
  } catch (error) {
    if (error instanceof Failure && error.status.code === 401 && !exchange.isLoggedIn) {
      const record = auditor.begin(audited(exchange, undefined))
      record?.answer(401, error.status, error.status)
      record?.stage('ResponseStarted')
    }
    throw error
  }
}

/** Logs the parts of the request and its answer that the policy asks for. */
export const auditRequest: Step<Exchange> = (exchange, next, { auditor }) => {
  exchange.isLoggedIn = true
  const record = auditor?.begin(audited(exchange, exchange.user))
  return record ? recorded(exchange, next, record) : next(exchange)
}

async function recorded(exchange: Exchange, next: Next<Exchange>, record: AuditRecord): Promise<ApiResponse> {
  exchange.audit = record
  for (const [key, value] of Object.entries(exchange.loginAnnotations ?? {})) record.annotate(key, value)
  record.stage('RequestReceived')
  try {
    const response = await next(exchange)
    return answered(exchange, record, response)
  } catch (error) {
    const status = statusOf(error)
    noteBody(exchange, record, status.code)
    record.answer(status.code, status, status)
    finish(exchange, record)
    throw error
  }
}

function answered(exchange: Exchange, record: AuditRecord, response: ApiResponse): ApiResponse {
  const { status: code, body } = response
  noteBody(exchange, record, code)
  if (body instanceof WatchStream) {
    record.answer(code, undefined)
    record.stage('ResponseStarted')
    body.observe({ sent: () => undefined, ended: () => record.stage('ResponseComplete') })
    return response
  }
  const bytes = body instanceof ListStream && record.wantsResponse ? body.bytes() : body
  const value = bytes instanceof Uint8Array ? jsonOf(response, bytes) : undefined
  record.answer(
    code,
    isStatus(value) ? value : undefined,
    exchange.route || isStatus(value) ? value : undefined,
  )
  finish(exchange, record)
  return response
}

function finish(exchange: Exchange, record: AuditRecord): void {
  if (isLongRunning(exchange)) record.stage('ResponseStarted')
  record.stage('ResponseComplete')
}

/** Notes the body of a request whose object was not noted when it was decoded: a patch, or options. */
function noteBody({ request, route }: Exchange, record: AuditRecord, code: number): void {
  if (!route || !record.wantsRequest || record.hasRequestObject) return
  if (UNREAD.has(code) && !(code === 422 && request.method === 'PATCH')) return
  const value = parsed(request.body)
  if (value === undefined) return
  const options = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' }
  record.sentJson(request.method === 'DELETE' && isObject(value) ? { ...value, ...options } : value)
}

function statusOf(error: unknown): Status {
  if (error instanceof Failure) return error.status
  return failure.internalError(error instanceof Error ? error.message : String(error))
}

function isStatus(value: unknown): value is Status {
  return isObject(value) && value['kind'] === 'Status' && value['apiVersion'] === 'v1'
}

function jsonOf({ headers }: ApiResponse, body: Uint8Array): unknown {
  return headers['content-type']?.startsWith('application/json') ? parsed(body) : undefined
}

function parsed(body: Uint8Array | undefined): unknown {
  if (!body || body.length === 0) return undefined
  try {
    const value: unknown = JSON.parse(decoder.decode(body))
    return value
  } catch {
    return undefined
  }
}

function audited(exchange: Exchange, user: Exchange['user'] | undefined): Parameters<Auditor['begin']>[0] {
  const { request, attributes, auditId = '' } = exchange
  const query = rawQueryOf(request)
  return {
    id: auditId,
    uri: query === '' ? request.path : `${request.path}?${query}`,
    attributes,
    user,
    sourceIPs: sourceIPs(request),
    userAgent: request.headers['user-agent'] ?? '',
  }
}

/** The addresses that a request came from: those that proxies name, then the one that is connected. */
function sourceIPs(request: ApiRequest): readonly string[] {
  const { headers } = request
  const named = (headers['x-forwarded-for'] ?? '').split(',').map((one) => one.trim())
  const real = headers['x-real-ip']?.trim() ?? ''
  const remote = (isPortRequest(request) ? request.remoteAddress : undefined) ?? ''
  const addresses: string[] = []
  for (const one of [...named, real, remote.replace(/^::ffff:(?=\d+\.)/, '')]) {
    if (/^[\d.]+$|^[\da-f:.]*:[\da-f:.]*$/i.test(one) && addresses.at(-1) !== one) addresses.push(one)
  }
  return addresses
}
