import { HomeostatError } from '@homeostat/api'
import { loadConfig, type ClusterConfig, type Operator } from 'homeostat'
import { loadOperator } from '../project/index.ts'
import { clusterFindings } from './cluster-findings.ts'
import type { Finding } from './finding.ts'

/** The subjects of the diagnosis: the machine, the project and the cluster. */
export interface DiagnoseOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly nodeVersion: string
  readonly operator?: string | undefined
  readonly context?: string | undefined
  readonly kubeconfig?: string | undefined
}

/** The oldest Node that the packages run on. */
const OLDEST_NODE = [22, 19] as const

/**
 * Checks the machine, the project and the cluster, in this order. A check that depends on one that failed is left out. It writes nothing to
 * the cluster.
 */
export async function* diagnose(options: DiagnoseOptions): AsyncGenerator<Finding, void, undefined> {
  yield nodeFinding(options.nodeVersion)
  const [operator, project] = await findOperator(options)
  yield project
  const [config, kubeconfig] = findConfig(options)
  yield kubeconfig
  if (config) yield* clusterFindings(config, operator)
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const ok = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  if (ok) return { what: 'Node', ok, detail: version }
  return { what: 'Node', ok, detail: version, remedy: `install Node ${OLDEST_NODE.join('.')} or newer` }
}

async function findOperator({
  cwd,
  operator: given,
}: DiagnoseOptions): Promise<[operator: Operator | undefined, finding: Finding]> {
  try {
    const { operator, file } = await loadOperator(cwd, given)
    return [operator, { what: 'operator', ok: true, detail: `${operator.name}, in ${file}` }]
  } catch (error) {
    if (!(error instanceof HomeostatError)) throw error
    // The messages of other errors already name the remedy.
    const remedy = error.code === 'OPERATOR_NOT_LOADED' ? 'correct that place, or run npm install' : undefined
    return [undefined, { what: 'operator', ok: false, detail: error.message, remedy }]
  }
}

function findConfig({
  context,
  kubeconfig,
  env,
}: DiagnoseOptions): [config: ClusterConfig | undefined, finding: Finding] {
  try {
    const config = loadConfig({ context, kubeconfig, env })
    return [config, { what: 'kubeconfig', ok: true, detail: config.server }]
  } catch (error) {
    if (!(error instanceof HomeostatError)) throw error
    const remedy = 'set KUBECONFIG to the file of your cluster; homeostat cluster start starts a local one'
    return [undefined, { what: 'kubeconfig', ok: false, detail: error.message, remedy }]
  }
}
