import {
  controller,
  createOrUpdate,
  defineKind,
  formatKey,
  schema as s,
  type Client,
  type Controller,
} from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { expect } from 'vitest'

export const Note = defineKind({
  group: 'faults.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})

/** The text of each Note that the controller saw last; `undefined` once it saw the deletion. */
export type Seen = Map<string, string | undefined>

/** Copies each Note's text into a ConfigMap of its name. */
export function noteCopier(seen: Seen): Controller {
  return controller('copier')
    .for(Note)
    .owns(ConfigMap)
    .reconcile(async (request, context) => {
      const note = await context.client.get(Note, request)
      seen.set(formatKey(request), note?.spec.text)
      if (!note) return
      await createOrUpdate(context.client, ConfigMap, request, (copy) => {
        copy.data = { text: note.spec.text }
      })
    })
}

/** The errors: a Note without its copy, or one whose last state the controller has not seen. */
export async function whatIsLost(client: Client, seen: Seen, namespace?: string): Promise<string[]> {
  const notes = await client.list(Note, { namespace })
  const copies = new Map(
    (await client.list(ConfigMap, { namespace })).map((copy) => [
      formatKey(copy.metadata),
      copy.data?.['text'],
    ]),
  )
  const there = new Map(notes.map(({ metadata, spec }) => [formatKey(metadata), spec.text]))
  const uncopied = [...there].filter(([key, text]) => copies.get(key) !== text)
  const unseen = [...there].filter(([key, text]) => seen.get(key) !== text)
  const ghosts = [...seen].filter(([key, text]) => text !== undefined && !there.has(key))
  return [
    ...uncopied.map(([key, text]) => `${key} is ${text}, its copy ${copies.get(key)}`),
    ...unseen.map(([key, text]) => `${key} is ${text}, it was seen as ${seen.get(key)}`),
    ...ghosts.map(([key, text]) => `${key} is gone, it was seen as ${text}`),
  ]
}

/** Every Note has a copy with its text, and the controller saw each as it is, and what is gone as gone. */
export async function expectNothingLost(client: Client, seen: Seen, namespace?: string): Promise<void> {
  expect(await whatIsLost(client, seen, namespace)).toEqual([])
}
