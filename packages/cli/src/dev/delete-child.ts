import type { Client } from 'homeostat'
import type { OperatorDescription } from './operator/index.ts'

/** Deletes one object that an object of the operator owns. Returns its name, or undefined where there is none. */
export async function deleteChild(
  client: Client,
  { owned, kinds }: OperatorDescription,
): Promise<string | undefined> {
  for (const { apiVersion, kind: name } of owned) {
    const kind = await client.kinds.find(apiVersion, name)
    if (!kind) continue
    const child = (await client.list(kind)).find(
      ({ metadata }) =>
        metadata.deletionTimestamp === undefined &&
        metadata.ownerReferences?.some((owner) =>
          kinds.some((own) => own.kind === owner.kind && own.apiVersion === owner.apiVersion),
        ),
    )
    if (!child) continue
    const { namespace, name: called } = child.metadata
    await client.delete(kind, { namespace, name: called })
    return `${name} ${namespace === undefined ? '' : `${namespace}/`}${called}`
  }
  return undefined
}
