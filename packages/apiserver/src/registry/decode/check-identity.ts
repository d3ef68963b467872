import { failure } from '@homeostat/api'
import { quote } from '../../schema/index.ts'
import { Failure, failureWithoutReason } from '../resource/failure.ts'
import type { ServerMeta, ServerObject } from '../resource/server-object.ts'

/** Fails where an object has another name than the path of its request, or none. */
export function checkName({ metadata }: ServerObject, name: string): void {
  if (metadata.name === name) return
  const why = metadata.name
    ? `the name of the object (${metadata.name}) does not match the name on the URL (${name})`
    : `the name of the object (${name} based on URL) was undeterminable: name must be provided`
  throw new Failure(failure.badRequest(why))
}

/** Fails where an object names another namespace than its request. */
export function checkNamespace(metadata: ServerMeta, namespace: string | undefined): void {
  if (!metadata.namespace || !namespace || metadata.namespace === namespace) return
  const why = 'the namespace of the provided object does not match the namespace sent on the request'
  throw new Failure(failure.badRequest(why))
}

/** Fails where a resourceVersion is not a number. The API gives no reason for this failure. */
export function refuseUnreadableVersion(version: string): void {
  if (/^\d+$/.test(version)) return
  throw failureWithoutReason(`strconv.ParseUint: parsing ${quote(version)}: invalid syntax`)
}
