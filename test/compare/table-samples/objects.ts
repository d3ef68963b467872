export const image = 'registry.example/app:1'
export const container = (name: string) => ({ name, image })
export const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [container('web'), container('log')] },
})

export function core(
  title: string,
  plural: string,
  object: Record<string, unknown>,
  status?: Record<string, unknown>,
) {
  return { title, group: '', version: 'v1', plural, namespaced: true, object, ...(status && { status }) }
}

export function apps(
  title: string,
  plural: string,
  object: Record<string, unknown>,
  status?: Record<string, unknown>,
) {
  return { title, group: 'apps', version: 'v1', plural, namespaced: true, object, ...(status && { status }) }
}

export const selector = {
  matchLabels: { app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'NotIn', values: ['z', 'b'] },
    { key: 'old', operator: 'DoesNotExist' },
  ],
}
