import { useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import type { Ask } from '../model/store.ts'
import { texts } from '../language/index.ts'

/** Asks the server for the values of a Secret, which are no part of what it sends otherwise. They are gone when the panel closes. */
export function SecretValues({ object, ask }: { object: RecordedObject; ask: Ask }) {
  const [values, setValues] = useState<readonly (readonly [string, string])[]>()
  const [problem, setProblem] = useState<string>()
  const reveal = async (): Promise<void> => {
    setProblem(undefined)
    const { namespace, name } = object.metadata
    await ask<{ values: readonly (readonly [string, string])[] }>('reveal', { namespace, name })
      .then((answer) => setValues(answer.values))
      .catch((error: Error) => setProblem(error.message))
  }
  return (
    <>
      {values ? (
        <button type="button" onClick={() => setValues(undefined)}>
          {texts().hideValues}
        </button>
      ) : (
        <button type="button" onClick={() => void reveal()}>
          {texts().showValues}
        </button>
      )}
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
      {values && (
        <dl class="facts secret-values">
          {values.map(([name, value]) => (
            <>
              <dt key={`${name} name`}>{name}</dt>
              <dd key={name}>
                <code>{value}</code>
              </dd>
            </>
          ))}
        </dl>
      )}
    </>
  )
}
