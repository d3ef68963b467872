import type { WriteRecord } from '../http/index.ts'

/** One write in a line: `patch deployments.apps/status default/web by my-controller (200)`. */
export function describeWrite(write: WriteRecord): string {
  const resource = write.group ? `${write.resource}.${write.group}` : write.resource
  const path = write.subresource ? `${resource}/${write.subresource}` : resource
  const name = [write.namespace, write.name].filter(Boolean).join('/')
  const who = write.fieldManager ?? write.userAgent ?? write.user
  return [write.verb, path, name, `by ${who}`, `(${write.code})`].filter(Boolean).join(' ')
}
