import { loadConfig, run as runOperator } from 'homeostat'
import type { Command, CommandCall } from '../command/index.ts'
import { clusterOptions, loadOperator, operatorOption } from '../project/index.ts'

export const run: Command = {
  name: 'run',
  summary: 'runs the operator on the current context of the kubeconfig',
  description:
    'Runs the operator until Ctrl-C, as node main.ts does, on the cluster of the current context or of another one. The cluster must have the definitions of its kinds: homeostat manifests makes them.',
  options: {
    operator: operatorOption,
    ...clusterOptions,
  },
  examples: [
    ['run', 'on the current context'],
    ['run --context=staging', 'on another one'],
  ],
  async run({ values, io }: CommandCall): Promise<number> {
    const { source } = await loadOperator(io.cwd, values['operator'] as string | undefined)
    const config = loadConfig({
      context: values['context'] as string | undefined,
      kubeconfig: values['kubeconfig'] as string | undefined,
      env: io.env,
    })
    await runOperator(source, { manager: { config }, env: io.env })
    return 0
  },
}
