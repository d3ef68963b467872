/** The longest name without tag and digest, but with the default registry. */
const LONGEST = 255
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?'
const HOST = `(?:${LABEL}(?:\\.${LABEL})*|\\[[0-9a-fA-F:]+\\])(?::[0-9]+)?`
const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}'
const NAME = new RegExp(`^(?:${HOST}/)?${PART}(?:/${PART})*(?::\\w[\\w.-]{0,127})?(?:@${DIGEST})?$`)

/**
 * The tag of an image's name: `latest` for a name with neither tag nor digest; `undefined` for a name with a digest alone, and
 * for a text that is not a valid name.
 */
export function imageTag(image: string): string | undefined {
  // A name of 64 digits would be mistaken for an image's id.
  if (!NAME.test(image) || /^[0-9a-f]{64}$/.test(image) || wholeLength(image) > LONGEST) return undefined
  const [name = '', digest] = image.split('@')
  const last = name.slice(name.lastIndexOf('/') + 1)
  const colon = last.indexOf(':')
  if (colon >= 0) return last.slice(colon + 1)
  return digest === undefined ? 'latest' : undefined
}

/** The length of a name, with the default registry where it names none. */
function wholeLength(image: string): number {
  const name = image.replace(/(:[^/]*)?(@.*)?$/, '')
  const first = name.slice(0, name.indexOf('/'))
  if (first.includes('.') || first.includes(':') || first === 'localhost') return name.length
  return name.length + (name.includes('/') ? 'docker.io/' : 'docker.io/library/').length
}
