/** The media type of protobuf in Kubernetes' envelope. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf'

/** The media types of requests and answers, in the order of preference. */
export const BODY_TYPES = ['application/json', 'application/yaml', PROTOBUF] as const

/** The longest body that is read, in bytes. */
export const BODY_LIMIT = 3 * 1024 * 1024

/** The media type of a header without its parameters, in lower case; `invalid` for other texts. */
export function mediaType(header: string | undefined): string {
  if (!header) return ''
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim())
  return parameters.every(
    (part, index) => part.includes('=') || (part === '' && index === parameters.length - 1),
  ) && parameters.every((part) => !part.startsWith('=') && !part.endsWith('='))
    ? type.toLowerCase()
    : 'invalid'
}
