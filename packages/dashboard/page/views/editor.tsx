import { useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import type { Ask } from '../model/store.ts'
import { yamlText } from '../model/yaml.ts'
import { texts } from '../language/index.ts'
import { YamlEditor } from './yaml-editor.tsx'

/** Edits an object. */
export function Editor({ object, ask, onClose }: { object: RecordedObject; ask: Ask; onClose: () => void }) {
  // The edited text does not follow changes of the object: the server refuses an outdated one.
  const [before] = useState(object)
  return (
    <YamlEditor
      label={texts().editNamed(object.metadata.name)}
      initial={yamlText(editable(before))}
      saveText={texts().save}
      send={async (yaml, dryRun) => {
        const { object: after } = await ask<{ object: RecordedObject }>('replace', { yaml, dryRun })
        return [{ before, after }]
      }}
      onSaved={onClose}
      onClose={onClose}
    />
  )
}

/** The object as a user edits it: with its version, so that a change that came first is not undone. */
function editable(object: RecordedObject): object {
  const { managedFields: _, ...metadata } = object.metadata
  const { apiVersion, kind, metadata: __, ...rest } = object
  return { apiVersion, kind, metadata, ...rest }
}
