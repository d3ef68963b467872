/** The characters that Go takes for space: those of JavaScript except for U+FEFF, and U+0085. */
const SPACE = /[^\S\uFEFF]|\u0085/
const ALL_SPACE = new RegExp(SPACE, 'g')

/** A text without the space at its beginning and its end. */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && SPACE.test(text.charAt(start))) start++
  while (end > start && SPACE.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** A text without any space. */
export function removeSpace(text: string): string {
  return text.replaceAll(ALL_SPACE, '')
}
