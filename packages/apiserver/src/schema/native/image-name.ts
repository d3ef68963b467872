/** The tag of an image's name, `latest` where it has neither tag nor digest, and `undefined` with a digest alone. */
export function imageTag(image: string): string | undefined {
  if (/\s/.test(image)) return undefined
  const [name = '', digest] = image.split('@')
  const last = name.slice(name.lastIndexOf('/') + 1)
  const colon = last.indexOf(':')
  if (colon >= 0) return last.slice(colon + 1)
  return digest === undefined ? 'latest' : undefined
}
