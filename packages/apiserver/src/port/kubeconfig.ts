/** The text of a kubeconfig file for one server and one token. It holds the token: a client that has the file acts as that user. */
export function kubeconfigText(access: {
  url: string
  authority: string
  token: string
  name?: string
}): string {
  // Text in quotes, as JSON has it, is text in YAML whatever it holds; a writer of YAML would take long to load.
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
