import { Secret, ServiceAccount } from '@homeostat/api/kinds'
import { controller, isConflict, isNotFound, type Client, type Controller } from 'homeostat'

/** Makes the token that a Secret holds for a ServiceAccount. */
export type MakeToken = (subject: {
  readonly namespace: string
  readonly account: { readonly name: string; readonly uid: string }
  readonly secret: string
}) => Promise<string>

const TYPE = 'kubernetes.io/service-account-token'
const ACCOUNT_NAME = 'kubernetes.io/service-account.name'
const ACCOUNT_UID = 'kubernetes.io/service-account.uid'

/**
 * Fills Secrets of type `kubernetes.io/service-account-token`: with a token of their ServiceAccount, its namespace, and
 * the certificate (PEM) by which clients trust the API. Deletes such a Secret where its ServiceAccount does not exist
 * or is another one of that name, and removes a deleted Secret from the list of its ServiceAccount.
 */
export function accountTokensController(makeToken: MakeToken, certificate: string): Controller {
  return controller('serviceaccount-token')
    .for(Secret, { predicate: ({ object }) => object.type === TYPE })
    .watches(
      ServiceAccount,
      async ({ metadata: { namespace, name } }, { client }) =>
        (await client.list(Secret, { namespace }))
          .filter(({ type, metadata }) => type === TYPE && metadata.annotations?.[ACCOUNT_NAME] === name)
          .map(({ metadata }) => ({ namespace, name: metadata.name })),
      { predicate: ({ type }) => type === 'deleted' },
    )
    .reconcile(async ({ namespace, name }, { client }) => {
      const secret = await client.get(Secret, { namespace, name })
      if (!secret) return forget(client, namespace, name)
      if (secret.type !== TYPE) return
      const { annotations, uid } = secret.metadata
      const key = { namespace, name: annotations?.[ACCOUNT_NAME] ?? '' }
      // The cache may not have an account yet that was created just before the Secret.
      const account = (await client.get(ServiceAccount, key)) ?? (await client.live.get(ServiceAccount, key))
      const meant = annotations?.[ACCOUNT_UID]
      if (!account || (meant && meant !== account.metadata.uid)) {
        await client.delete(Secret, { namespace, name }, { preconditions: { uid } }).catch(unlessChanged)
        return
      }
      await fill(client, secret, account, makeToken, certificate)
    })
}

async function fill(
  client: Client,
  secret: Secret,
  account: ServiceAccount,
  makeToken: MakeToken,
  certificate: string,
): Promise<void> {
  const { data = {}, metadata } = secret
  const { namespace, name } = metadata
  const authority = btoa(certificate)
  const needsAuthority = authority !== '' && data['ca.crt'] !== authority
  if (!needsAuthority && data['namespace'] && data['token']) return
  const owner = { name: account.metadata.name, uid: account.metadata.uid }
  const token = data['token'] || btoa(await makeToken({ namespace, account: owner, secret: name }))
  await client
    .update(Secret, {
      ...secret,
      metadata: {
        ...metadata,
        annotations: { ...metadata.annotations, [ACCOUNT_NAME]: owner.name, [ACCOUNT_UID]: owner.uid },
      },
      data: {
        ...data,
        ...(needsAuthority && { 'ca.crt': authority }),
        namespace: data['namespace'] || btoa(namespace),
        token,
      },
    })
    .catch(unlessChanged)
}

/** Removes a Secret that no longer exists from the ServiceAccounts that list it. */
async function forget(client: Client, namespace: string, name: string): Promise<void> {
  for (const account of await client.list(ServiceAccount, { namespace })) {
    const { secrets = [] } = account
    if (!secrets.some((one) => one.name === name)) continue
    const kept = secrets.filter((one) => one.name !== name)
    await client.update(ServiceAccount, { ...account, secrets: kept }).catch(unlessGone)
  }
}

/** Another client has changed it first. That change causes the next reconcile. */
function unlessChanged(error: unknown): void {
  if (!isConflict(error) && !isNotFound(error)) throw error
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error
}
