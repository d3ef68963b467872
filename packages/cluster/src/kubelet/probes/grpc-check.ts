import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2'
import type { CheckResult } from './check.ts'
import type { ProbeTarget } from './http-get.ts'

/** The answers of the health protocol, by their numbers. */
const STATES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN']
const UNIMPLEMENTED = '12'
/** An answer has a few bytes; a longer one is refused. */
const LONGEST_ANSWER = 4_096

/** Probes a server by the gRPC health protocol. Every problem is a failure, with the message of a kubelet. */
export async function checkGrpc(
  target: ProbeTarget,
  service: string,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { connect } = process.getBuiltinModule('node:http2')
  const session = connect(`http://${target.host}:${target.port}`)
  let connected = false
  session.once('connect', () => (connected = true))
  const end = (): void => session.destroy()
  signal.addEventListener('abort', end, { once: true })
  try {
    const problem = await ask(session, target, service)
    if (problem === undefined) return { outcome: 'success', message: '' }
    return { outcome: 'failure', message: problem }
  } catch (error) {
    if (!connected) {
      const message = `timeout: failed to connect service ${JSON.stringify(target.shown)} within ${timeoutSeconds}s: context deadline exceeded`
      return { outcome: 'failure', message }
    }
    const message = signal.aborted
      ? `timeout: health rpc did not complete within ${timeoutSeconds}s`
      : `error: health rpc probe failed: ${error instanceof Error ? error.message : String(error)}`
    return { outcome: 'failure', message }
  } finally {
    signal.removeEventListener('abort', end)
    session.destroy()
  }
}

/** The problem of the service; `undefined` where it is healthy. */
function ask(session: ClientHttp2Session, target: ProbeTarget, service: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(error)
    session.on('error', fail)
    session.on('close', () => fail(new Error('the connection was closed')))
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      ':authority': target.shown,
      'content-type': 'application/grpc',
      'user-agent': 'kube-probe/1.36',
      te: 'trailers',
    })
    let answer = Buffer.alloc(0)
    let ending: IncomingHttpHeaders = {}
    stream.on('error', fail)
    stream.on('response', (headers) => (ending = headers))
    stream.on('trailers', (trailers) => (ending = trailers))
    stream.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk])
      if (answer.length > LONGEST_ANSWER) stream.destroy(new Error('the answer is too long'))
    })
    stream.on('end', () => {
      if (ending['grpc-status'] === undefined) fail(new Error('the stream ended without a status'))
      else resolve(judge(ending, answer))
    })
    stream.end(request(service))
  })
}

function judge(ending: IncomingHttpHeaders, answer: Uint8Array): string | undefined {
  const code = String(ending['grpc-status'])
  const said = decoded(String(ending['grpc-message'] ?? ''))
  if (code === UNIMPLEMENTED) {
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${said}`
  }
  if (code !== '0') return `error: health rpc probe failed: rpc error: code = ${code} desc = ${said}`
  // After five bytes of framing: field 1, a number. A missing field means the first of the states.
  const state = STATES[answer[5] === 0x08 ? (answer[6] ?? 0) : 0] ?? 'UNKNOWN'
  return state === 'SERVING' ? undefined : `service unhealthy (responded with ${JSON.stringify(state)})`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** One message with the service's name as its field 1, in gRPC's frame. */
function request(service: string): Buffer {
  const name = Buffer.from(service)
  const length = name.length < 0x80 ? [name.length] : [(name.length & 0x7f) | 0x80, name.length >> 7]
  const message = name.length === 0 ? Buffer.alloc(0) : Buffer.concat([Buffer.from([0x0a, ...length]), name])
  const frame = Buffer.alloc(5)
  frame.writeUInt32BE(message.length, 1)
  return Buffer.concat([frame, message])
}
