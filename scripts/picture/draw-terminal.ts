/** The colours of the codes that the demo prints. */
const COLOURS: Readonly<Record<string, string>> = {
  '1': 'font-weight="bold" fill="#ffffff"',
  '2': 'fill="#8b949e"',
  '31': 'fill="#ff7b72"',
  '32': 'fill="#7ee787"',
  '36': 'fill="#79c0ff"',
}

const LINE = 19
const CHARACTER = 7.83
const MARGIN = 16
// eslint-disable-next-line no-control-regex -- terminals are controlled by control characters
const SEQUENCE = /\u001b\[(?<code>\d+)m/

/** Draws what a terminal shows for the text, as an SVG picture. It knows the codes for bold, dim and a few colours. */
export function drawTerminal(text: string): string {
  const lines = text.split('\n')
  const longest = Math.max(
    ...lines.map(
      (line) =>
        line
          .split(SEQUENCE)
          .filter((_, index) => index % 2 === 0)
          .join('').length,
    ),
  )
  const width = Math.ceil(longest * CHARACTER + 2 * MARGIN)
  const height = lines.length * LINE + 2 * MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">`,
    ...lines.map(
      (line, index) => `<text x="${MARGIN}" y="${MARGIN + 13 + index * LINE}">${spans(line)}</text>`,
    ),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** A line as spans: what stands between two codes has the colour of the first. */
function spans(line: string): string {
  const [start = '', ...rest] = line.split(SEQUENCE)
  let drawn = escape(start)
  for (let index = 0; index < rest.length; index += 2) {
    const style = COLOURS[rest[index] ?? '']
    const text = escape(rest[index + 1] ?? '')
    drawn += style && text ? `<tspan ${style}>${text}</tspan>` : text
  }
  return drawn
}

/** Spaces that viewers do not merge, and nothing that is markup. */
function escape(text: string): string {
  return text
    .replaceAll(' ', '\u00a0')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
