import { type JsonObject, objectOf } from '../../schema/index.ts'

export function ingressWarnings(ingress: JsonObject, old: JsonObject | undefined): string[] {
  const key = 'kubernetes.io/ingress.class'
  const annotated = Object.hasOwn(objectOf(objectOf(ingress['metadata'])['annotations']), key)
  if (old || !annotated || objectOf(ingress['spec'])['ingressClassName'] !== undefined) return []
  return [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`]
}
