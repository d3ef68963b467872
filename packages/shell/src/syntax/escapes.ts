/** The meaning of a letter after a backslash in `echo -e`, `printf` and `$'…'`. */
export const LETTER_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
