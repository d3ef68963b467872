import { useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import { fieldsIn, numberIn } from '../model/content.ts'
import type { Ask } from '../model/store.ts'
import { texts } from '../language/index.ts'

/** How many replicas an object asks for; nothing where it has no such number. */
export function replicasOf(object: RecordedObject): number | undefined {
  return numberIn(fieldsIn(object, 'spec'), 'replicas')
}

/** Changes how many replicas an object has. The server tries it first. */
export function ScaleButton({
  object,
  replicas,
  ask,
  isOpen,
  onOpen,
}: {
  object: RecordedObject
  replicas: number
  ask: Ask
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}) {
  const [wanted, setWanted] = useState(replicas)
  const [isTried, setTried] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { apiVersion, kind, metadata } = object
  const send = async (dryRun: boolean): Promise<void> => {
    setProblem(undefined)
    const { namespace, name } = metadata
    try {
      await ask('scale', { apiVersion, kind, namespace, name, replicas: wanted, dryRun })
      setTried(dryRun)
      if (!dryRun) onOpen(false)
    } catch (error) {
      setTried(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const t = texts()
  if (!isOpen) {
    const open = (): void => {
      setWanted(replicas)
      setTried(false)
      setProblem(undefined)
      onOpen(true)
    }
    return (
      <button type="button" onClick={open}>
        {t.scale}
      </button>
    )
  }
  return (
    <div class="confirm is-block" role="group" aria-label={t.scaleNamed(metadata.name)}>
      {isTried && (
        <p class="hint" role="status">
          {t.fromTo(replicas, wanted)}
        </p>
      )}
      <label class="select">
        {t.replicas}
        <input
          type="number"
          min="0"
          value={wanted}
          onInput={(event) => {
            setWanted(event.currentTarget.valueAsNumber)
            setTried(false)
          }}
        />
      </label>
      <button type="button" class="primary" onClick={() => void send(!isTried)}>
        {isTried ? t.save : t.showChange}
      </button>
      <button type="button" onClick={() => onOpen(false)}>
        {t.cancel}
      </button>
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
