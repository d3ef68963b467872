import { existsSync } from 'node:fs'
import { HomeostatError } from '@homeostat/api'
import type { TestProject } from 'vitest/node'
import { startControlPlane } from './control-plane.ts'

/** The Kubernetes that tests of the project `kubernetes` run on: `inject('kubernetes')`. */
export interface InjectedKubernetes {
  /** The path of a kubeconfig file whose user may do everything. */
  readonly kubeconfig: string
  /** Whether controllers run: garbage collection, Deployments, endpoints, namespaces. */
  readonly controllers: boolean
}

declare module 'vitest' {
  export interface ProvidedContext {
    kubernetes: InjectedKubernetes
  }
}

/**
 * Starts one control plane for all files of the project, or takes the cluster whose kubeconfig
 * `HOMEOSTAT_TEST_KUBECONFIG` names. On a person's cluster tests keep to namespaces of their own, but
 * they install CustomResourceDefinitions.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const kubeconfig = process.env.HOMEOSTAT_TEST_KUBECONFIG
  if (kubeconfig) {
    if (!existsSync(kubeconfig)) {
      throw new HomeostatError(
        'KUBECONFIG_MISSING',
        `HOMEOSTAT_TEST_KUBECONFIG is ${kubeconfig}, but there is no such file: correct it, or unset it to test on a control plane of this machine`,
      )
    }
    project.provide('kubernetes', { kubeconfig, controllers: true })
    return undefined
  }
  const controlPlane = await startControlPlane({ controllerManager: 'available' })
  await controlPlane.settled()
  project.provide('kubernetes', {
    kubeconfig: controlPlane.kubeconfig,
    controllers: controlPlane.controllers,
  })
  return () => controlPlane.stop()
}
