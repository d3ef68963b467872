import { checkOptionNames, HomeostatError, optionNames } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import { operatorDefinitions, resolveOperator, type Client, type OperatorSource } from 'homeostat'

/** Which parts of an operator are installed into a cluster. */
export interface InstallOptions {
  /** Whether its samples are applied as well. Default: true. */
  readonly samples?: boolean | undefined
}

const OPTIONS = optionNames<InstallOptions>('cluster.install', { samples: true })

/** Applies the definitions of an operator's kinds, and its samples. */
export async function installOperator(
  client: Client,
  source: OperatorSource,
  options: InstallOptions = {},
): Promise<void> {
  checkOptionNames(options, OPTIONS)
  const operator = await resolveOperator(source)
  for (const definition of operatorDefinitions(operator)) {
    await client.apply(CustomResourceDefinition, definition)
  }
  if (options.samples === false) return
  for (const sample of operator.samples) {
    const kind = await client.kinds.find(sample.apiVersion, sample.kind)
    if (!kind) {
      throw new HomeostatError(
        'KIND_NOT_SERVED',
        `the sample ${sample.kind} ${sample.metadata.name ?? ''} of the operator ${operator.name} is of ${sample.apiVersion}, which the cluster does not serve: add the kind to the operator's kinds, or install its definition first`,
      )
    }
    await client.apply(kind, { ...sample })
  }
}
