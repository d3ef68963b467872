import { useEffect, useRef, useState } from 'preact/hooks'
import type { LiveRecording } from '../model/connect.ts'
import type { HealthState } from '../model/health.ts'
import type { Store } from '../model/store.ts'
import { Graph } from './graph.tsx'
import { Header } from './header.tsx'
import { Panel } from './panel.tsx'
import { SignIn } from './sign-in.tsx'
import { Timeline } from './timeline.tsx'

export interface Filter {
  readonly text: string
  readonly state: HealthState | undefined
}

export interface AppProps {
  readonly store: Store
  readonly live: LiveRecording
  readonly now: number
  /** Whether another page shows it as a part, and has the title and the languages. Default: false. */
  readonly isPart?: boolean | undefined
}

/** The whole page: the timeline above, the objects below, and beside them what was chosen. */
export function App({ store, live, now, isPart = false }: AppProps) {
  const [filter, setFilter] = useState<Filter>({ text: '', state: undefined })
  const search = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const [target] = event.composedPath()
      const isTyping =
        target instanceof HTMLInputElement ||
        target instanceof HTMLTextAreaElement ||
        (target instanceof HTMLElement && target.isContentEditable)
      if (event.key === 'Escape' && !isTyping) store.select(undefined)
      if (event.key === '/' && !isTyping) {
        event.preventDefault()
        search.current?.focus()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [store])
  const shown = store.moment ?? now
  const name = store.state.operator?.name
  useEffect(() => {
    if (!isPart) document.title = name === undefined ? 'Homeostat' : `${name} · Homeostat`
  }, [name, isPart])
  if (store.connection === 'signed-out' && store.file === undefined) return <SignIn live={live} />
  return (
    <div
      class={`page ${store.moment === undefined ? '' : 'is-past'} ${store.selection ? 'has-selection' : ''}`}
    >
      <Header store={store} live={live} isPart={isPart} />
      <Timeline store={store} shown={shown} now={store.file === undefined ? now : store.latest.at} />
      <main class="columns">
        <Graph store={store} filter={filter} onFilter={setFilter} search={search} />
        <Panel store={store} shown={shown} />
      </main>
    </div>
  )
}
