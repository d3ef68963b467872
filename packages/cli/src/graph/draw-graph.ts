import { labelOf, type GraphEdge, type OperatorGraph } from './operator-graph.ts'

/** Sizes in pixels. The font has a fixed width, so that a text's width is known without a browser. */
const LETTER = 7.3
const LINE = 20
const PADDING = 12
const GAP = 18
/** The space that the curves get between the parts and the kinds. */
const CURVES = 140

interface Part {
  readonly name: string
  readonly edges: readonly GraphEdge[]
  readonly top: number
  readonly height: number
}

/**
 * The graph as a drawing that a browser shows and Markdown can include. The parts of the operator with their actions
 * are at the left, and the kinds at the right; a curve leads from each action to its kind. Kinds that the operator
 * defines have a thick border. The drawing follows the reader's choice of a dark or a light page.
 */
export function graphSvg({ operator, kinds, edges }: OperatorGraph): string {
  const parts = partsOf(edges)
  const names = [...new Set([...kinds, ...edges.map(({ kind }) => kind)])]
  const partWidth = widthOf([...parts.map(({ name }) => name), ...edges.map((edge) => `  ${labelOf(edge)}`)])
  const kindWidth = widthOf(names)
  const kindHeight = LINE + PADDING
  const partsHeight = (parts.at(-1)?.top ?? 0) + (parts.at(-1)?.height ?? 0)
  const kindsHeight = names.length * (kindHeight + GAP) - GAP
  const height = Math.max(partsHeight, kindsHeight, kindHeight) + 2 * GAP
  const width = GAP + partWidth + CURVES + kindWidth + GAP
  const partsTop = (height - partsHeight) / 2
  const kindsTop = (height - kindsHeight) / 2
  const kindLeft = GAP + partWidth + CURVES
  const kindTop = (kind: string): number => kindsTop + names.indexOf(kind) * (kindHeight + GAP)

  const curves = parts.flatMap((part) =>
    part.edges.map((edge, index) => {
      const [x, y] = [GAP + partWidth, partsTop + part.top + rowTop(index) + LINE / 2]
      const [toX, toY] = [kindLeft, kindTop(edge.kind) + kindHeight / 2]
      const half = CURVES / 2
      return `<path class="${edge.relation}" d="M${x} ${y}C${x + half} ${y} ${toX - half} ${toY} ${toX} ${toY}"/>`
    }),
  )
  const boxes = parts.map((part) => {
    const top = partsTop + part.top
    const rows = part.edges.map((edge, index) =>
      text(GAP + PADDING + 2 * LETTER, top + rowTop(index), labelOf(edge), 'relation'),
    )
    return [
      `<rect x="${GAP}" y="${top}" width="${partWidth}" height="${part.height}"/>`,
      text(GAP + PADDING, top + PADDING / 2, part.name, 'part'),
      ...rows,
    ].join('')
  })
  const ends = names.map((name) => {
    const own = kinds.includes(name) ? ' class="own"' : ''
    const top = kindTop(name)
    return `<rect${own} x="${kindLeft}" y="${top}" width="${kindWidth}" height="${kindHeight}" rx="8"/>${text(kindLeft + PADDING, top + PADDING / 2, name, 'kind')}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(`The operator ${operator}, and what it does with each kind`)}</title>
<style>${STYLE}</style>
${[...curves, ...boxes, ...ends].join('\n')}
</svg>
`
}

const STYLE =
  'svg{color-scheme:light dark}text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328;white-space:pre}.part{font-weight:700}.relation{fill:#59636e}' +
  'rect{fill:#f6f8fa;stroke:#8c959f}.own{stroke-width:2.5;stroke:#0f6b5c}path{fill:none;stroke:#8c959f;stroke-width:1.5}.reconciles,.owns{stroke:#0f6b5c}.writes{stroke:#9a6700}' +
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.relation{fill:#9198a1}rect{fill:#161b22;stroke:#6e7681}.own{stroke:#5fd0b8}.reconciles,.owns{stroke:#5fd0b8}.writes{stroke:#d29922}}'

function partsOf(edges: readonly GraphEdge[]): readonly Part[] {
  let top = 0
  return [...Map.groupBy(edges, ({ from }) => from)].map(([name, own]) => {
    const part = { name, edges: own, top, height: rowTop(own.length) + PADDING / 2 }
    top += part.height + GAP
    return part
  })
}

/** Where a row of a part begins, below the part's name. */
function rowTop(index: number): number {
  return PADDING / 2 + LINE * (index + 1)
}

function widthOf(texts: readonly string[]): number {
  return Math.ceil(Math.max(0, ...texts.map(({ length }) => length)) * LETTER) + 2 * PADDING
}

function text(x: number, top: number, content: string, type: string): string {
  return `<text class="${type}" x="${x}" y="${top + 14}">${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
