import type { AdmissionRequest } from '../admission/index.ts'

/** The name in the answer to a refused request: the object's name, or its `generateName`. */
export function refusedName({ name, object, submitted }: AdmissionRequest): string {
  if (name !== '') return name
  if (submitted && !object?.metadata) return 'Unknown/errorGettingName'
  return object?.metadata.name || object?.metadata.generateName || 'Unknown'
}
