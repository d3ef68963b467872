/** Why a text is not base64, in Go's words. `alphabet` is a range of a regular expression. */
export function base64Problem(value: string, alphabet = 'A-Za-z0-9+/'): string | undefined {
  const clean = value.replace(/[\r\n]/g, '')
  const wrong = new RegExp(`^[${alphabet}]*={0,2}`).exec(clean)![0].length
  if (wrong < clean.length) return `illegal base64 data at input byte ${wrong}`
  return clean.length % 4 === 0
    ? undefined
    : `illegal base64 data at input byte ${clean.length - (clean.length % 4)}`
}
