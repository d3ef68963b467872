import { deepEqual, labelSelectorFrom, matchesLabels, type CreateOf } from '@homeostat/api'
import { ControllerRevision, DaemonSet, Pod } from '@homeostat/api/kinds'
import { controllerReference, isAlreadyExists, type Client } from 'homeostat'
import { templateHash } from '../deployment/template-hash.ts'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { adopted, planClaim, released } from '../pods/claim.ts'
import { REVISION_LABEL } from './daemon-pod.ts'

/**
 * Keeps the template of a DaemonSet as one of its revisions, and returns the hash by which Pods of this template are labelled.
 * Revisions that match the selector and have no controller are adopted. Those beyond the history limit are deleted.
 */
export async function keepRevisions(set: DaemonSet, pods: readonly Pod[], client: Client): Promise<string> {
  const labelled = await Promise.all(
    (await claimRevisions(set, client)).map((revision) => withHash(revision, client)),
  )
  const same = labelled.filter((revision) => holdsTemplate(revision, set))
  const old = labelled.filter((revision) => !same.includes(revision)).sort((a, b) => a.revision - b.revision)
  const number = (old.at(-1)?.revision ?? 0) + 1
  const hash = await currentHash(set, pods, same, number, client)
  const used = new Set([hash, ...pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL])])
  const surplus = old.length - (set.spec.revisionHistoryLimit ?? 10)
  const unused = old.filter(({ metadata }) => !used.has(metadata.labels?.[REVISION_LABEL]))
  for (const revision of unused.slice(0, Math.max(0, surplus))) await remove(revision, client)
  return hash
}

/** The revisions that the set controls, after it has adopted those that match and released the others. */
async function claimRevisions(set: DaemonSet, client: Client): Promise<ControllerRevision[]> {
  const selector = labelSelectorFrom(set.spec.selector)
  const all = await client.list(ControllerRevision, { namespace: set.metadata.namespace })
  const claim = planClaim(set, all, ({ metadata }) => matchesLabels(selector, metadata.labels))
  const reference = controllerReference(set)
  const taken = await Promise.all(
    claim.adopt.map((revision) => client.update(ControllerRevision, adopted(revision, reference))),
  )
  await Promise.all(
    claim.release.map((revision) => client.update(ControllerRevision, released(revision, set))),
  )
  return [...claim.owned, ...taken]
}

/** The revision with a hash. A revision that another client created without a hash is labelled with its own name. */
async function withHash(revision: ControllerRevision, client: Client): Promise<ControllerRevision> {
  const { labels, name } = revision.metadata
  if (labels?.[REVISION_LABEL] !== undefined) return revision
  const metadata = { ...revision.metadata, labels: { ...labels, [REVISION_LABEL]: name } }
  return client.update(ControllerRevision, { ...revision, metadata })
}

/** The hash of the revision that holds the template and gets this number. It is created if there is none. */
async function currentHash(
  set: DaemonSet,
  pods: readonly Pod[],
  same: readonly ControllerRevision[],
  number: number,
  client: Client,
): Promise<string> {
  const [first, ...others] = same.toSorted((a, b) => b.revision - a.revision)
  if (!first) return createRevision(set, number, client)
  const hash = hashOf(first)
  if (others.length > 0) {
    const body = { metadata: { labels: { [REVISION_LABEL]: hash } } }
    const mislabelled = pods.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] !== hash)
    for (const { metadata } of mislabelled) await client.patch(Pod, metadata, { type: 'merge', body })
    for (const revision of others) await remove(revision, client)
  }
  if (first.revision < number) await client.update(ControllerRevision, { ...first, revision: number })
  return hash
}

async function createRevision(set: DaemonSet, revision: number, client: Client): Promise<string> {
  const { namespace, name: setName, annotations } = set.metadata
  const hash = templateHash(set.spec.template, set.status.collisionCount)
  const name = `${setName}-${hash}`
  const wanted: CreateOf<typeof ControllerRevision> = {
    metadata: {
      namespace,
      name,
      labels: { ...set.spec.template.metadata?.labels, [REVISION_LABEL]: hash },
      ...(annotations ? { annotations: { ...annotations } } : {}),
      ownerReferences: [controllerReference(set)],
    },
    data: revisionData(set),
    revision,
  }
  try {
    await client.create(ControllerRevision, wanted)
    return hash
  } catch (error) {
    if (isNamespaceTerminating(error)) return hash
    if (!isAlreadyExists(error)) throw error
    const found = await client.live.getOrThrow(ControllerRevision, { namespace, name })
    if (holdsTemplate(found, set)) return found.metadata.labels?.[REVISION_LABEL] ?? hash
    // Another template has the same hash: the next collision count gives another name.
    const collisionCount = (set.status.collisionCount ?? 0) + 1
    await client.status.update(DaemonSet, { ...set, status: { ...set.status, collisionCount } })
    throw error
  }
}

async function remove({ metadata }: ControllerRevision, client: Client): Promise<void> {
  await client.delete(ControllerRevision, metadata, { preconditions: { uid: metadata.uid } })
}

function hashOf({ metadata }: ControllerRevision): string {
  return metadata.labels?.[REVISION_LABEL] ?? metadata.name
}

/** A patch that restores this template, which `kubectl rollout undo` sends. */
function revisionData(set: DaemonSet): Record<string, unknown> {
  return { spec: { template: { ...set.spec.template, $patch: 'replace' } } }
}

function holdsTemplate(revision: ControllerRevision, set: DaemonSet): boolean {
  return deepEqual(revision.data, revisionData(set))
}
