/**
 * The words of a text, for the index and for what a reader types. Chinese and Japanese are written without spaces, so their words
 * are found by the segmenter that the browser and Node have. The page gets the source of this function: it uses nothing outside.
 */
export function searchWords(text: string): string[] {
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
  return text
    .split(/[\n\r\p{Z}\p{P}\p{S}]+/u)
    .flatMap((part) =>
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(part)
        ? [...segmenter.segment(part)].map(({ segment }) => segment)
        : part,
    )
    .filter((word) => word !== '')
}
