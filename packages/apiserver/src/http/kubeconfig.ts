import { stringify } from 'yaml'

/** The text of a kubeconfig file for one server and one token. It holds the token: whoever has it is that user. */
export function kubeconfigText(access: {
  url: string
  authority: string
  token: string
  name?: string
}): string {
  const name = access.name ?? 'homeostat'
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name, cluster: { server: access.url, 'certificate-authority-data': btoa(access.authority) } },
    ],
    users: [{ name, user: { token: access.token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  })
}
