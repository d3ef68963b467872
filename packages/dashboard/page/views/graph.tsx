import type { RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { HealthState } from '../model/health.ts'
import type { Store } from '../model/store.ts'
import { treeOf, type Row } from '../model/tree.ts'
import type { Filter } from './app.tsx'
import { StateIcon, stateName } from './state-icon.tsx'
import { VirtualList } from './virtual-list.tsx'
import { texts } from '../language/index.ts'

const ROW_HEIGHT = 34
const STATES: readonly HealthState[] = ['healthy', 'working', 'failing', 'deleting']

interface GraphProps {
  store: Store
  filter: Filter
  onFilter: (filter: Filter) => void
  search: RefObject<HTMLInputElement | null>
}

/** The objects of the operator, and what belongs to them. */
export function Graph({ store, filter, onFilter, search }: GraphProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [at, setAt] = useState(0)
  const section = useRef<HTMLElement>(null)
  const tree = useMemo(
    () => treeOf(store, { ...filter, closed }),
    [store, store.version, filter.text, filter.state, closed],
  )
  const { rows, counts, total } = tree
  const focused = Math.min(at, rows.length - 1)
  const selected = store.selection?.type === 'object' ? store.selection.uid : undefined
  const toggle = (uid: string, isOpen: boolean): void => {
    const next = new Set(closed)
    if (isOpen) next.add(uid)
    else next.delete(uid)
    setClosed(next)
  }
  const go = (index: number): void => {
    setAt(Math.max(0, Math.min(index, rows.length - 1)))
    requestAnimationFrame(() =>
      section.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus(),
    )
  }
  const press = (event: KeyboardEvent): void => {
    const row = rows[focused]
    if (!row) return
    const { uid } = row.object.metadata
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(focused + 1),
      ArrowUp: () => go(focused - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      PageDown: () => go(focused + 10),
      PageUp: () => go(focused - 10),
      ArrowRight: () => (row.isOpen ? go(focused + (row.children > 0 ? 1 : 0)) : toggle(uid, false)),
      ArrowLeft: () =>
        row.isOpen && row.children > 0
          ? toggle(uid, true)
          : go(rows.findLastIndex((other, index) => index < focused && other.level < row.level)),
      Enter: () => store.select({ type: 'object', uid }),
      ' ': () => store.select({ type: 'object', uid }),
    }
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <section class="graph" aria-label={texts().objects} ref={section}>
      <Toolbar store={store} filter={filter} onFilter={onFilter} search={search} counts={counts} />
      {rows.length === 0 ? (
        <Empty store={store} isFiltered={total > 0} />
      ) : (
        <VirtualList
          items={rows}
          height={ROW_HEIGHT}
          label={texts().objectsAndParts}
          focused={focused}
          onKeyDown={press}
          row={(row, index) => (
            <TreeRow
              key={row.object.metadata.uid}
              row={row}
              isFocused={index === focused}
              isSelected={row.object.metadata.uid === selected}
              onToggle={() => toggle(row.object.metadata.uid, row.isOpen)}
              onSelect={() => {
                setAt(index)
                store.select({ type: 'object', uid: row.object.metadata.uid })
              }}
            />
          )}
        />
      )}
    </section>
  )
}

/** The search, the button that creates an object, and a filter for each state. */
function Toolbar({
  store,
  filter,
  onFilter,
  search,
  counts,
}: GraphProps & { counts: Readonly<Record<HealthState, number>> }) {
  return (
    <div class="toolbar">
      <h2>{texts().objects}</h2>
      <input
        ref={search}
        type="search"
        placeholder={texts().search}
        aria-label={texts().searchLabel}
        value={filter.text}
        onInput={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      {store.canChange && (
        <button type="button" title={texts().createTitle} onClick={() => store.select({ type: 'create' })}>
          {texts().create}
        </button>
      )}
      <div class="chips" role="group" aria-label={texts().byState}>
        {STATES.filter((state) => counts[state] > 0 || filter.state === state).map((state) => (
          <button
            key={state}
            type="button"
            class="chip"
            aria-pressed={filter.state === state}
            onClick={() => onFilter({ ...filter, state: filter.state === state ? undefined : state })}
          >
            <StateIcon state={state} />
            {counts[state]}
            <span class="chip-name">{stateName(state)}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

function TreeRow({
  row,
  isFocused,
  isSelected,
  onToggle,
  onSelect,
}: {
  row: Row
  isFocused: boolean
  isSelected: boolean
  onToggle: () => void
  onSelect: () => void
}) {
  const { object, level, health, children, isOpen, isRunning } = row
  const { namespace, name } = object.metadata
  return (
    <div
      role="treeitem"
      class={`row ${isSelected ? 'is-selected' : ''}`}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={children > 0 ? isOpen : undefined}
      tabIndex={isFocused ? 0 : -1}
      onClick={onSelect}
    >
      <span class="indent" style={{ width: `${(level - 1) * 20}px` }} aria-hidden="true" />
      <span
        class={`toggle ${children > 0 ? '' : 'is-leaf'} ${isOpen ? 'is-open' : ''}`}
        aria-hidden="true"
        onClick={(event) => {
          if (children === 0) return
          event.stopPropagation()
          onToggle()
        }}
      />
      <StateIcon state={health.state} isRunning={isRunning} />
      <span class="kind">{object.kind}</span>
      <span class="name">
        {level === 1 && namespace !== undefined && <span class="namespace">{namespace}/</span>}
        {name}
      </span>
      <span class="why">{isRunning ? texts().isReconciled : health.why}</span>
    </div>
  )
}

function Empty({ store, isFiltered }: { store: Store; isFiltered: boolean }) {
  const { operator } = store.state
  const [kind] = operator?.kinds ?? []
  return (
    <div class="empty">
      {isFiltered ? (
        <p>{texts().nothingMatches}</p>
      ) : !operator ? (
        <p>{texts().noOperator}</p>
      ) : store.file !== undefined || store.moment !== undefined ? (
        <p>{texts().noneThen(kind?.kind ?? '')}</p>
      ) : (
        <>
          <p>{texts().noneYet(kind?.kind ?? '')}</p>
          {store.viewer.name === undefined ? (
            <p class="hint">
              {texts().createOne} <code>kubectl apply -f {kind?.kind.toLowerCase()}.yaml</code>
            </p>
          ) : (
            <p class="hint">{texts().onlyListed}</p>
          )}
          {store.canChange && (
            <button type="button" class="primary" onClick={() => store.select({ type: 'create' })}>
              {texts().createHere(kind?.kind ?? '')}
            </button>
          )}
        </>
      )}
    </div>
  )
}
