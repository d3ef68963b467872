import { type Command, type CommandCall, usageError } from '../command/index.ts'
import { graphMermaid, graphSvg, graphText, operatorGraph } from '../graph/index.ts'
import { loadOperator, operatorOption } from '../project/index.ts'

export const graph: Command = {
  name: 'graph',
  summary: 'prints what the operator reconciles, owns, watches and writes',
  description:
    'Prints what each controller, runnable and webhook declares to do with each kind: as text, as a Mermaid drawing for Markdown, as an SVG picture, or as JSON for programs.',
  options: {
    operator: operatorOption,
    mermaid: { type: 'boolean', description: 'print a Mermaid flowchart' },
    svg: { type: 'boolean', description: 'print an SVG picture' },
    json: { type: 'boolean', description: 'print JSON' },
  },
  examples: [
    ['graph', 'as text'],
    ['graph --mermaid > graph.mmd', 'as a drawing'],
    ['graph --svg > graph.svg', 'as a picture'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const chosen = ['mermaid', 'svg', 'json'].filter((name) => values[name])
    if (chosen.length > 1)
      throw usageError(`${chosen.map((name) => `--${name}`).join(' and ')} exclude each other`)
    const { operator } = await loadOperator(io.cwd, values['operator'] as string | undefined)
    const made = operatorGraph(operator)
    if (values['json']) io.out(`${JSON.stringify(made, undefined, 2)}\n`)
    else if (values['svg']) io.out(graphSvg(made))
    else io.out(values['mermaid'] ? graphMermaid(made) : graphText(made))
    return 0
  },
}
