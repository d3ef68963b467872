/**
 * The plural of a kind in lower case, by the simple rules of English: `At` → `ats`, `Proxy` → `proxies`,
 * `Ingress` → `ingresses`. For words with an irregular plural, give the plural.
 */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase()
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return `${word}s`
}
