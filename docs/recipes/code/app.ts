import { defineKind, schema as s } from 'homeostat'

/** The kind that the recipes are about: an image to run, and what it needs. */
export const App = defineKind({
  group: 'recipes.example.com',
  version: 'v1',
  kind: 'App',
  spec: s.object({
    image: s.string().default('app:1'),
    secret: s.string().optional(),
    parts: s.list(s.string()).default([]),
    paused: s.boolean().default(false),
  }),
  status: s.object({ phase: s.string().optional(), observed: s.string().optional() }),
})

export const key = { namespace: 'default', name: 'shop' }

/** A Pod's template with one container. */
export const templateOf = (image: string, annotations: Record<string, string> = {}) => ({
  metadata: { labels: { app: 'shop' }, annotations },
  spec: { containers: [{ name: 'app', image }] },
})
