/** The text of a kubeconfig file for one server and one token. It holds the token: a client that has the file acts as that user. */
export function kubeconfigText(access: {
  url: string
  authority: string
  token: string
  name?: string
}): string {
  // A JSON string is a valid YAML string; loading a YAML library would take long.
  const name = JSON.stringify(access.name ?? 'homeostat')
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${name}
    cluster:
      server: ${JSON.stringify(access.url)}
      certificate-authority-data: ${btoa(access.authority)}
users:
  - name: ${name}
    user:
      token: ${JSON.stringify(access.token)}
contexts:
  - name: ${name}
    context:
      cluster: ${name}
      user: ${name}
      namespace: default
current-context: ${name}
`
}
