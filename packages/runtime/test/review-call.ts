import type { ApiHandler } from '@homeostat/api'

/** An answer of a webhook, its body parsed. */
export interface ReviewReply {
  readonly status: number
  readonly body: any
}

/** Sends a body, as JSON unless it is a text already, to a webhook. */
export async function callWebhook(
  handler: ApiHandler,
  path: string,
  body: unknown,
  options: { contentType?: string; timeout?: string; signal?: AbortSignal } = {},
): Promise<ReviewReply> {
  const response = await handler({
    method: 'POST',
    path,
    query: new URLSearchParams(options.timeout === undefined ? {} : { timeout: options.timeout }),
    headers: { 'content-type': options.contentType ?? 'application/json' },
    body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    signal: options.signal,
  })
  const text = new TextDecoder().decode(response.body as Uint8Array)
  const isJson = response.headers['content-type'] === 'application/json'
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/** An AdmissionReview as an API server sends it. */
export function admissionReview(
  object: { apiVersion: string; kind: string; metadata?: { name?: string } } | null,
  request: Record<string, unknown> = {},
): object {
  const shown = object ?? (request['oldObject'] as { apiVersion: string; kind: string } | undefined)
  const [group = '', version = ''] = shown?.apiVersion.split('/') ?? []
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'review-1',
      kind: { group, version, kind: shown?.kind },
      resource: { group, version, resource: `${shown?.kind.toLowerCase()}s` },
      name: object?.metadata?.name ?? '',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'ada', uid: '7', groups: ['people'], extra: { team: ['a'] } },
      object,
      oldObject: null,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
      ...request,
    },
  }
}

/** The operations of the patch in an answer. */
export function patchIn({ body }: ReviewReply): unknown {
  return body.response.patch === undefined ? undefined : JSON.parse(atob(body.response.patch))
}
