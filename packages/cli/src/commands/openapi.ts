import { loadConfig } from 'homeostat'
import { type Command, type CommandCall, optionText, usageError } from '../command/index.ts'
import { clusterOpenApi } from '../definitions/index.ts'
import { clusterOptions } from '../project/index.ts'
import { writeResult } from './write-result.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'prints the OpenAPI document of a cluster',
  description:
    'Prints what a cluster serves as an OpenAPI document in JSON, for generators of clients and documentation: with a group and version, such as apps/v1 or v1, the document of OpenAPI v3 of that group; without one, the document of OpenAPI v2, which has all groups. The cluster is the current context of your kubeconfig, or that of --context.',
  arguments: '[GROUP/VERSION]',
  options: {
    out: { type: 'string', value: 'FILE', description: 'the file to write (default: standard output)' },
    ...clusterOptions,
  },
  examples: [
    ['openapi apps/v1', 'one group'],
    [
      'openapi example.com/v1 --context=staging --out=example.json',
      'a group of your own, of another cluster',
    ],
    ['openapi --out=swagger.json', 'all groups, as OpenAPI v2'],
  ],
  async run({ values, positionals, io }: CommandCall): Promise<number> {
    const [group, extra] = positionals
    if (extra !== undefined) throw usageError('name at most one group and version: homeostat openapi apps/v1')
    const [context, kubeconfig] = [optionText(values, 'context'), optionText(values, 'kubeconfig')]
    const document = await clusterOpenApi(loadConfig({ context, kubeconfig, env: io.env }), group)
    const text = `${JSON.stringify(document, undefined, 2)}\n`
    writeResult(io, optionText(values, 'out'), text, 'the document is')
    return 0
  },
}
