import { useState } from 'preact/hooks'
import { keyOf } from '../model/run.ts'
import type { Store } from '../model/store.ts'
import { yamlText } from '../model/yaml.ts'
import { texts } from '../language/index.ts'
import { CloseButton } from './close-button.tsx'
import { YamlEditor, type PlannedChange } from './yaml-editor.tsx'

/** Creates objects of YAML, or changes them, as `kubectl apply` does. */
export function CreatePanel({ store }: { store: Store }) {
  const [stored, setStored] = useState<readonly PlannedChange[]>()
  const t = texts()
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.createObject}>
      <div class="panel-head">
        <div>
          <p class="over">{t.asKubectlApply}</p>
          <h2>{t.createObject}</h2>
        </div>
        <CloseButton store={store} />
      </div>
      {stored ? (
        <>
          <div role="status">
            <p class="lead">{t.stored}</p>
            <ul class="causes">
              {stored.map(({ after }) => (
                <li key={after.metadata.uid}>
                  {after.kind} {keyOf(after.metadata)}{' '}
                  {store.latest.objects.has(after.metadata.uid) && (
                    <button
                      type="button"
                      onClick={() => store.select({ type: 'object', uid: after.metadata.uid })}
                    >
                      {t.show}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </div>
          <div class="actions">
            <button type="button" onClick={() => setStored(undefined)}>
              {t.createAnother}
            </button>
          </div>
        </>
      ) : store.canChange ? (
        <YamlEditor
          label={t.objectsAsYaml}
          initial={templateOf(store)}
          saveText={t.create}
          send={async (yaml, dryRun) => {
            const { changes } = await store.ask<{ changes: readonly PlannedChange[] }>('apply', {
              yaml,
              dryRun,
            })
            return changes
          }}
          onSaved={setStored}
          onClose={() => store.select(undefined)}
        />
      ) : (
        <p class="lead">{t.onlyNow}</p>
      )}
    </div>
  )
}

/** The text that a user begins with: the spec of an object that exists, or the frame of the operator's first kind. */
function templateOf(store: Store): string {
  const [own] = store.latest.operator?.kinds ?? []
  const { apiVersion, kind } = own ?? { apiVersion: 'v1', kind: 'ConfigMap' }
  const objects = [...store.latest.objects.values()].filter(
    (each) => each.kind === kind && each.apiVersion === apiVersion,
  )
  const example = objects.at(-1) as { spec?: unknown; metadata: { namespace?: string } } | undefined
  const names = new Set(objects.map(({ metadata }) => metadata.name))
  let name = `new-${kind.toLowerCase()}`
  for (let number = 2; names.has(name); number++) name = `new-${kind.toLowerCase()}-${number}`
  // Without an example the page does not know whether the kind has namespaces, and the server fills in the default one.
  const namespace = example?.metadata.namespace
  const metadata = { name, ...(namespace !== undefined && { namespace }) }
  return yamlText({ apiVersion, kind, metadata, ...(own && { spec: example?.spec ?? {} }) })
}
