import { apiVersionOf } from '@homeostat/api'
import { type JsonObject, objectOf } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { Failure } from '../resource/failure.ts'
import type { Resource } from '../resource/resource.ts'
import { textOf } from '../resource/server-object.ts'

/** What follows the address of a webhook in a failure: the server does not even try to reach it. */
const NO_WEBHOOKS = 'this API server does not call webhooks'

/** The address of the webhook that converts between the versions of a definition; undefined where none does. */
export function conversionWebhookOf(spec: JsonObject): string | undefined {
  const { strategy, webhook } = objectOf(spec['conversion'])
  if (strategy !== 'Webhook') return undefined
  const { url, service } = objectOf(objectOf(webhook)['clientConfig'])
  if (typeof url === 'string') return url
  const { name, namespace, port = 443, path } = objectOf(service)
  const below = textOf(path)
  return `https://${textOf(name)}.${textOf(namespace)}.svc:${String(port)}${below.startsWith('/') ? '' : '/'}${below}`
}

/** Fails where only a webhook could give the stored object in the resource's version. */
export function checkReadable(stored: Stored, resource: Resource): void {
  if (resource.conversionWebhook === undefined || stored.apiVersion === apiVersionOf(resource)) return
  throw conversionFailure(resource, resource.conversionWebhook, stored.apiVersion ?? '')
}

/** Fails where only a webhook could give what is written through the resource in the version that is stored. */
export function checkStorable(resource: Resource): void {
  const { conversionWebhook, storageVersion, version } = resource
  if (conversionWebhook === undefined || storageVersion === version) return
  throw conversionFailure(resource, conversionWebhook, apiVersionOf(resource))
}

/** As a Kubernetes API server says that it could not reach the webhook. It gives no reason. */
function conversionFailure({ kind }: Resource, address: string, from: string): Failure {
  const cause = `Post "${address}?timeout=30s": ${NO_WEBHOOKS}`
  const message = `conversion webhook for ${from}, Kind=${kind} failed: ${cause}`
  return new Failure({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    code: 500,
  })
}
