import type { Store } from '../model/store.ts'
import { CreatePanel } from './create-panel.tsx'
import { ObjectPanel } from './object-panel.tsx'
import { QueuePanel, RunsPanel } from './queue-panel.tsx'
import { RunPanel } from './run-panel.tsx'
import { StoryPanel } from './story.tsx'
import { texts } from '../language/index.ts'

/** Shows the chosen object or reconcile; without a choice, the story of a finding, or the queues. */
export function Panel({ store, shown }: { store: Store; shown: number }) {
  const { selection } = store
  const run = selection?.type === 'run' ? store.run(selection.id) : undefined
  return (
    <section class="panel" aria-label={texts().details}>
      {selection?.type === 'object' ? (
        <ObjectPanel key={selection.uid} store={store} uid={selection.uid} />
      ) : selection?.type === 'create' ? (
        <CreatePanel store={store} />
      ) : selection?.type === 'runs' ? (
        <RunsPanel store={store} ids={selection.ids} />
      ) : run ? (
        <RunPanel key={run.id} store={store} run={run} />
      ) : store.story ? (
        <StoryPanel store={store} story={store.story} />
      ) : (
        <QueuePanel store={store} shown={shown} />
      )}
    </section>
  )
}
