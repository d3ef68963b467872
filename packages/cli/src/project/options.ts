import type { CommandOption } from '../command/index.ts'

/** Which operator a command is about. */
export const operatorOption: CommandOption = {
  type: 'string',
  value: 'FILE',
  description: 'the module that exports the operator (default: operator.ts)',
}

/** Which cluster a command is about. */
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
