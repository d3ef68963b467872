import { timestamp } from '@homeostat/api'
import { type CoreV1, Pod } from '@homeostat/api/kinds'
import type { OperatorTest } from '../src/testing/index.ts'

/** Plays the kubelet where no node runs Pods: it writes their status, and ends those that are being deleted. */
export class PodPlayer {
  readonly #test: OperatorTest
  readonly #namespace: string

  constructor(test: OperatorTest, namespace = 'default') {
    this.#test = test
    this.#namespace = namespace
  }

  async pods(): Promise<readonly Pod[]> {
    const pods = await this.#test.client.list(Pod, { namespace: this.#namespace })
    return [...pods].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  }

  /** The names of all Pods, in order; those that are being deleted with a dagger. */
  async names(): Promise<string[]> {
    return (await this.pods()).map(({ metadata }) => metadata.name + (metadata.deletionTimestamp ? '†' : ''))
  }

  /** Makes Pods run and be ready: these, or all. */
  async ready(...names: readonly string[]): Promise<void> {
    for (const pod of await this.pods()) {
      const { name, deletionTimestamp } = pod.metadata
      if (deletionTimestamp || (names.length > 0 && !names.includes(name))) continue
      if (pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) continue
      await this.#write(pod, 'Running', true)
    }
    await this.#test.settle()
  }

  /** Lets a Pod be in a phase, and not ready. */
  async become(name: string, phase: 'Running' | 'Failed' | 'Succeeded'): Promise<void> {
    const key = { namespace: this.#namespace, name }
    await this.#write(await this.#test.client.getOrThrow(Pod, key), phase, false)
    await this.#test.settle()
  }

  /** Ends the Pods that are being deleted. */
  async end(): Promise<void> {
    for (const { metadata } of await this.pods()) {
      if (metadata.deletionTimestamp) await this.#test.client.delete(Pod, metadata, { gracePeriodSeconds: 0 })
    }
    await this.#test.settle()
  }

  /** Makes Pods ready and ends those that are being deleted, until nothing changes any more. */
  async untilQuiet(): Promise<void> {
    for (let before = ''; ;) {
      await this.ready()
      await this.end()
      const now = (await this.pods()).map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`)
      if (now.join() === before) return
      before = now.join()
    }
  }

  async #write(pod: Pod, phase: Pod['status']['phase'], isReady: boolean): Promise<void> {
    const { status: before, ...rest } = pod
    const ready: CoreV1.PodCondition = {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      lastTransitionTime: timestamp(this.#test.clock.now()),
    }
    const others = (before.conditions ?? []).filter(({ type }) => type !== 'Ready')
    const status = { ...before, phase, conditions: [...others, ready] }
    await this.#test.client.status.update(Pod, { ...rest, status })
  }
}
