import { detailsOf, labelOf, type OperatorGraph } from './operator-graph.ts'

/** The graph as text: each part of the operator, and below it what it does with which kind. */
export function graphText({ operator, kinds, edges }: OperatorGraph): string {
  const width = Math.max(0, ...edges.map(({ relation }) => relation.length))
  const parts = [...Map.groupBy(edges, ({ from }) => from)].map(
    ([from, lines]) =>
      `${from}\n${lines.map((edge) => `  ${edge.relation.padEnd(width)}  ${edge.kind}${inBrackets(detailsOf(edge))}\n`).join('')}`,
  )
  const defined = kinds.length > 0 ? `  defines ${kinds.join(', ')}\n` : ''
  return [`operator ${operator}\n${defined}`, ...parts].join('\n')
}

/** The graph in Mermaid, which GitHub draws in Markdown. Kinds that the operator defines have rounded boxes. */
export function graphMermaid({ kinds, edges }: OperatorGraph): string {
  const ids = new Map<string, string>()
  const idOf = (name: string): string => {
    const known = ids.get(name) ?? `n${ids.size}`
    ids.set(name, known)
    return known
  }
  const box = (name: string): string =>
    kinds.includes(name) ? `${idOf(name)}("${escaped(name)}")` : `${idOf(name)}["${escaped(name)}"]`
  const own = kinds
    .filter((kind) => !edges.some((edge) => edge.kind === kind))
    .map((kind) => `  ${box(kind)}\n`)
  const lines = edges.map((edge) => {
    const { from, kind } = edge
    return `  ${idOf(`part ${from}`)}{{"${escaped(from)}"}} -- "${escaped(labelOf(edge))}" --> ${box(kind)}\n`
  })
  return `flowchart LR\n${[...own, ...lines].join('')}`
}

function inBrackets(details: readonly string[]): string {
  return details.length > 0 ? ` (${details.join(', ')})` : ''
}

/** Escapes, as entities, the characters that would end a text in Mermaid. */
function escaped(text: string): string {
  return text.replaceAll('#', '#35;').replaceAll('"', '#quot;')
}
