import { HomeostatError, type ApiRequest } from '@homeostat/api'
import { readAnswer, type Answered } from './answer.ts'
import type { Topic } from './scenario.ts'
import type { Subject } from './subject.ts'

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Makes a server serve the custom kinds of a topic, and waits until it does. Gives what removes them. */
export async function prepare(subject: Subject, topic: Topic): Promise<() => Promise<void>> {
  for (const definition of topic.definitions) {
    const { code, body } = await ask(subject, 'POST', DEFINITIONS, definition)
    if (code !== 201) {
      const why = (body as { message?: string }).message
      throw new HomeostatError('DEFINITION_REFUSED', `the definition was not taken: ${code} ${why}`)
    }
    const { group, names, versions } = (definition as any).spec
    for (const { name, served } of versions) {
      if (!served) continue
      const path = `/apis/${group}/${name}/${names.plural}`
      await subject.until(async () => (await ask(subject, 'GET', path)).code === 200)
    }
  }
  // A kind may be served for a moment before its schema has an effect.
  if (topic.definitions.length > 0) await subject.pass('1s')
  return async () => {
    for (const definition of topic.definitions) {
      const path = `${DEFINITIONS}/${(definition as any).metadata.name}`
      await release(subject, definition)
      await ask(subject, 'DELETE', path)
      await subject.until(async () => (await ask(subject, 'GET', path)).code === 404)
    }
  }
}

/** Removes the finalizers of objects that no controller will release. */
async function release(subject: Subject, definition: any): Promise<void> {
  const { group, names, versions } = definition.spec
  const root = `/apis/${group}/${versions[0].name}`
  const { body } = await ask(subject, 'GET', `${root}/${names.plural}`)
  for (const { metadata } of (body as { items?: any[] }).items ?? []) {
    if (!metadata.finalizers) continue
    const place = metadata.namespace ? `${root}/namespaces/${metadata.namespace}` : root
    const path = `${place}/${names.plural}/${metadata.name}`
    await ask(subject, 'PATCH', path, { metadata: { finalizers: null } })
  }
}

async function ask(
  subject: Subject,
  method: ApiRequest['method'],
  path: string,
  body?: unknown,
): Promise<Answered> {
  return readAnswer(
    await subject.send({
      method,
      path,
      query: new URLSearchParams(),
      headers: {
        accept: 'application/json',
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        'user-agent': 'conformance/1.0',
      },
      body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
    }),
  )
}
