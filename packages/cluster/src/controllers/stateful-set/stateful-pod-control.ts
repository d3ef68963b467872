import { deepEqual, HomeostatError } from '@homeostat/api'
import { PersistentVolumeClaim, Pod, type StatefulSet } from '@homeostat/api/kinds'
import { isAlreadyExists, type ReconcileContext } from 'homeostat'
import { failureText } from '../objects/failure-text.ts'
import { hasOtherController, planClaimOwners } from './claim-owners.ts'
import { claimsOf, hasStorage, inPlace } from './stateful-pod.ts'
import type { Step } from './stateful-set-plan.ts'

type Member = { readonly metadata: { readonly name: string; readonly uid?: string | undefined } }

/** Carries out the steps of one StatefulSet, and reports their results as Events. */
export class StatefulPodControl {
  readonly #set: StatefulSet
  readonly #context: ReconcileContext

  constructor(set: StatefulSet, context: ReconcileContext) {
    this.#set = set
    this.#context = context
  }

  async take(step: Step): Promise<void> {
    if (step.type === 'create') return this.#create(step)
    if (step.type === 'delete') return this.#delete(step.pod)
    if (step.type === 'repair') return this.#repair(step)
    if (step.type === 'claims') await this.#makeClaims(step.ordinal, step.pod.metadata.name)
    await this.#ownClaims(step.ordinal, step.pod)
  }

  async #create({ ordinal, pod }: Extract<Step, { type: 'create' }>): Promise<void> {
    const name = pod.metadata.name ?? ''
    try {
      await this.#makeClaims(ordinal, name)
      const created = await this.#context.client.create(Pod, pod)
      await this.#ownClaims(ordinal, created)
    } catch (error) {
      if (!isAlreadyExists(error)) this.#record('create', name, error)
      throw error
    }
    this.#record('create', name)
  }

  async #delete({ metadata }: Pod): Promise<void> {
    try {
      await this.#context.client.delete(Pod, metadata, { preconditions: { uid: metadata.uid } })
    } catch (error) {
      this.#record('delete', metadata.name, error)
      throw error
    }
    this.#record('delete', metadata.name)
  }

  async #repair({ ordinal, pod }: { ordinal: number; pod: Pod }): Promise<void> {
    const { name } = pod.metadata
    const { client } = this.#context
    try {
      if (!hasStorage(this.#set, pod, ordinal)) await this.#makeClaims(ordinal, name)
      const owned = await this.#ownClaims(ordinal, pod)
      const wanted = inPlace(this.#set, pod, ordinal)
      if (deepEqual(wanted, pod)) {
        if (owned) this.#record('update', name)
        return
      }
      await client.update(Pod, wanted)
    } catch (error) {
      this.#record('update', name, error)
      throw error
    }
    this.#record('update', name)
  }

  /** Creates the missing claims of an ordinal. Fails for a claim that is being deleted. */
  async #makeClaims(ordinal: number, pod: string): Promise<void> {
    const { client, events } = this.#context
    const problems: string[] = []
    for (const wanted of claimsOf(this.#set, ordinal)) {
      const { namespace } = this.#set.metadata
      const { name } = wanted.metadata
      const there = await client.get(PersistentVolumeClaim, { namespace, name })
      if (there?.metadata.deletionTimestamp) problems.push(`pvc ${name} is being deleted`)
      if (there) continue
      const set = this.#set.metadata.name
      try {
        await client.create(PersistentVolumeClaim, wanted)
        const note = `Create Claim ${name} Pod ${pod} in StatefulSet ${set} success`
        events.normal(this.#set, 'SuccessfulCreate', note)
      } catch (error) {
        const why = failureText(error)
        problems.push(`failed to create PVC ${name}: ${why}`)
        if (isAlreadyExists(error)) continue
        const note = `Create Claim ${name} for Pod ${pod} in StatefulSet ${set} failed error: ${why}`
        events.warning(this.#set, 'FailedCreate', note)
      }
    }
    const [first] = problems
    if (first === undefined) return
    throw new HomeostatError('CLAIM_MISSING', problems.length === 1 ? first : `[${problems.join(', ')}]`)
  }

  /** Updates the owners of a Pod's claims. Returns whether any have changed. */
  async #ownClaims(ordinal: number, pod: Member): Promise<boolean> {
    const { client, events } = this.#context
    const place = { set: this.#set, pod, ordinal }
    let changed = false
    for (const { metadata } of claimsOf(this.#set, ordinal)) {
      const { namespace } = this.#set.metadata
      const claim = await client.get(PersistentVolumeClaim, { namespace, name: metadata.name })
      if (!claim) continue
      if (hasOtherController(claim, place)) {
        const note = `PersistentVolumeClaim ${metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`
        events.warning(this.#set, 'ConflictingController', note)
      }
      const ownerReferences = planClaimOwners(claim, place)
      if (!ownerReferences) continue
      await client.update(PersistentVolumeClaim, {
        ...claim,
        metadata: { ...claim.metadata, ownerReferences },
      })
      changed = true
    }
    return changed
  }

  #record(verb: 'create' | 'update' | 'delete', pod: string, error?: unknown): void {
    const title = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
    const what = `${title} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`
    const { events } = this.#context
    if (error === undefined) events.normal(this.#set, `Successful${title}`, `${what} successful`)
    else events.warning(this.#set, `Failed${title}`, `${what} failed error: ${failureText(error)}`)
  }
}
