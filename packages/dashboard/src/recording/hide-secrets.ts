import type { RecordedObject } from './entry.ts'

/** The text that replaces each value of a Secret. */
export const HIDDEN = '(hidden)'

/** The annotation in which `kubectl apply` keeps a copy of the object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Whether the object holds values that are not shown. */
export function isSecret({
  apiVersion,
  kind,
}: {
  readonly apiVersion: string
  readonly kind: string
}): boolean {
  return kind === 'Secret' && apiVersion === 'v1'
}

/** The object, with `(hidden)` for each value if it is a Secret. */
export function hideSecrets(object: RecordedObject): RecordedObject {
  if (!isSecret(object)) return object
  const { data, stringData, ...rest }: RecordedObject & { data?: object; stringData?: object } = object
  const { annotations } = object.metadata
  const shown =
    annotations?.[LAST_APPLIED] === undefined ? annotations : { ...annotations, [LAST_APPLIED]: HIDDEN }
  return {
    ...rest,
    metadata: { ...object.metadata, ...(shown && { annotations: shown }) },
    ...(data && { data: hidden(data) }),
    ...(stringData && { stringData: hidden(stringData) }),
  }
}

function hidden(values: object): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, HIDDEN]))
}
