import type { CommandOption } from '../command/index.ts'

/** The option that names the operator. */
export const operatorOption: CommandOption = {
  type: 'string',
  value: 'FILE',
  description: 'the module that exports the operator (default: operator.ts)',
}

/** The options that name the cluster. */
export const clusterOptions = {
  context: {
    type: 'string',
    value: 'NAME',
    description: 'a context of the kubeconfig (default: the current one)',
  },
  kubeconfig: {
    type: 'string',
    value: 'FILE',
    description: 'a kubeconfig (default: $KUBECONFIG or ~/.kube/config)',
  },
} as const satisfies Readonly<Record<string, CommandOption>>
